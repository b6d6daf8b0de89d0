import * as l10n from '../../util/l10n';
import { visibleSegments, visibleText } from '../../util/text/visibleText';
import type { EditPlan } from '../../workspace/plans';

/** Dangers to check before an edit is accepted, for people, one sentence each. */
export function editWarnings(plan: EditPlan): readonly string[] {
  const { match, lostLines, before } = plan;
  const warnings: string[] = [];
  if (match === 'near') {
    warnings.push(
      l10n.t('The model misquoted these lines. This is the nearest place; check that it is the right one.'),
    );
  }
  if (lostLines !== undefined && before !== null) {
    const total = before.split('\n').length - (before.endsWith('\n') ? 1 : 0);
    warnings.push(l10n.t('The file loses {0} of its {1} lines.', lostLines, total));
  }
  return [...warnings, ...findEditHazards(plan).map(({ warning }) => warning)];
}

/** A danger in the text that an edit adds. */
export interface EditHazard {
  readonly kind: 'hidden_characters' | 'remote_schema';
  /** One sentence for people. */
  readonly warning: string;
}

/** Hazards of the text that is in `after` and not in `before`. */
export function findEditHazards({
  before,
  after,
  target,
}: Pick<EditPlan, 'before' | 'after' | 'target'>): readonly EditHazard[] {
  const hazards: EditHazard[] = [];
  const hidden = hiddenCharactersIn(addedLines(before ?? '', after));
  if (hidden !== undefined) {
    const warning = l10n.t('The new text has characters that do not show: {0}. They can hide what it does.', hidden);
    hazards.push({ kind: 'hidden_characters', warning });
  }
  const schema = newRemoteSchema(before ?? '', after, target.displayPath);
  if (schema !== undefined) {
    const address = visibleText(schema.slice(0, MAX_ADDRESS_LENGTH), 'path');
    const warning = l10n.t(
      'The new text names a schema at {0}. Editors fetch it, which tells its owner what the address says.',
      address,
    );
    hazards.push({ kind: 'remote_schema', warning });
  }
  return hazards;
}

const MAX_ADDRESS_LENGTH = 200;
const MAX_LISTED = 3;

function addedLines(before: string, after: string): string {
  const known = new Set(withoutMark(before).split('\n'));
  return withoutMark(after)
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n');
}

/** A byte order mark at the start of a file is normal, not hidden text. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The names of the first few kinds of hidden characters; `undefined`: there are none. */
function hiddenCharactersIn(text: string): string | undefined {
  const names = new Set(visibleSegments(text, 'code').flatMap(({ text: name, isHidden }) => (isHidden ? [name] : [])));
  if (names.size === 0) return undefined;
  const listed = [...names].slice(0, MAX_LISTED).join(' ');
  return names.size > MAX_LISTED ? l10n.t('{0} and others', listed) : listed;
}

/** Formats in which editors look for `$schema`, also in a comment, and fetch its address. */
const WITH_SCHEMA =
  /\.(json|jsonc|json5|jsonl|ndjson|geojson|webmanifest|code-snippets|ya?ml|toml|[a-z]*rc)$|(^|\/)\.?[^./]+$/i;

function newRemoteSchema(before: string, after: string, displayPath: string): string | undefined {
  if (!WITH_SCHEMA.test(displayPath)) return undefined;
  const known = new Set(remoteSchemas(before));
  return remoteSchemas(after).find((address) => !known.has(address));
}

function remoteSchemas(text: string): readonly string[] {
  const plain = text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\/', '/');
  return [...plain.matchAll(/[$#:]schema(?=[^\w-])/gi)].flatMap((match) => {
    const value = plain
      .slice(match.index + match[0].length, match.index + MAX_GAP)
      // Between the name and its value: quotes, blanks, a colon, comments.
      .replace(/^(?:["'\s:=|>-]|\/\*[^]*?\*\/|\/\/[^\n]*\n|#[^\n]*\n)*/, '');
    const address = /^[a-z][a-z0-9+.-]*:\/\/[^\s"']*/i.exec(value)?.[0];
    return address === undefined ? [] : [address];
  });
}

const MAX_GAP = 4000;
