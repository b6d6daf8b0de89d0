import * as l10n from '../../util/l10n';
import path from 'node:path';
import { readFrontMatter } from '../customization/frontMatter';
import { refused, type ImportItem, type ImportPlace } from './importItem';
import { fieldOf } from './modelItem';
import { readForeignYaml } from './readForeign';

/** Longer rules would fill the window of a small model. */
const MAX_RULE_CHARACTERS = 20_000;

/** A text of rules. In a folder of the workspace it is offered for AGENTS.md, otherwise for the person's system prompt. */
export function ruleItem(name: string, text: unknown, place: ImportPlace, files?: string): ImportItem | undefined {
  const rules = typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : '';
  if (rules === '') return undefined;
  if (rules.length > MAX_RULE_CHARACTERS)
    return refused(place, 'rules', name, l10n.t('the text is too long for a prompt.'));
  const scoped = files === undefined ? rules : `For files that match ${files}:\n\n${rules}`;
  return {
    ...{ place, what: 'rules', name },
    becomes:
      place.folder === undefined
        ? { kind: 'ownRules', text: scoped }
        : { kind: 'projectRules', folder: place.folder, title: name, text: scoped },
    notes: files === undefined ? [] : [l10n.t('Sent always; there only for {0}.', files)],
  };
}

/** A Markdown file of rules, with the front matter of Continue or Cline. */
export function readRuleFile(text: string, place: ImportPlace): readonly ImportItem[] {
  const { fields, body } = readFrontMatter(text);
  const front = frontMatterOf(text, body);
  const name = fields.get('name') ?? path.basename(place.file).replace(/\.(?:md|txt)$/i, '');
  const files = fieldOf(front, 'globs') ?? fieldOf(front, 'paths');
  if (Array.isArray(files) && files.length === 0)
    return [refused(place, 'rules', name, l10n.t('they are switched off there.'))];
  return [ruleItem(name, body, place, filesText(files))].filter((item) => item !== undefined);
}

/** Rules for one mode of Roo Code only. Agents here have a prompt, and no files of rules. */
export function readModeRules(text: string, place: ImportPlace): readonly ImportItem[] {
  if (text.trim() === '') return [];
  const [, mode = ''] = /rules-([\w-]+)/.exec(place.file) ?? [];
  const name = path.basename(place.file);
  return [
    refused(
      place,
      'rules',
      name,
      l10n.t('they are for the mode {0} only. Copy them into the prompt of an agent.', mode),
    ),
  ];
}

/** Patterns of files as one text. `undefined`: the rules are for all files. */
function filesText(files: unknown): string | undefined {
  const texts = (Array.isArray(files) ? files.slice(0, 50) : [files]).filter((file) => typeof file === 'string');
  return texts.length === 0 ? undefined : texts.join(', ').slice(0, 1_000);
}

/** The values above the text. Texts that are no YAML have none, as Cline takes them. */
function frontMatterOf(text: string, body: string): unknown {
  const front = text.slice(0, text.length - body.length).replaceAll(/^---[ \t]*\r?$/gm, '');
  try {
    return front.trim() === '' ? undefined : readForeignYaml(front);
  } catch {
    return undefined;
  }
}
