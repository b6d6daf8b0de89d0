import * as l10n from '../../util/l10n';
// @ts-expect-error The package brings no types.
import { CORE_SCHEMA, load as loadUntyped } from 'js-yaml';
import { isJsonObject, parseJson } from '../../util/json';
import { repairJson } from '../../util/repairJson';

/** Throws for text that is not YAML, and for deep nesting. `CORE_SCHEMA` makes values of JSON only, and knows no merge keys. */
const load: (text: string, options: { readonly schema: unknown; readonly maxDepth: number }) => unknown = loadUntyped;

/** A settings file of a person has a few kB. */
export const MAX_FOREIGN_CHARACTERS = 256_000;
const MAX_DEPTH = 40;
/** Aliases of YAML can name the same part again and again, so that a short text stands for a huge value. */
const MAX_VALUES = 20_000;

/**
 * Reads a JSON text of another program, with the comments and trailing commas that editors allow. Throws with a text for
 * people. The value is plain and bounded.
 */
export function readForeignJson(text: string): unknown {
  const checked = withinLimits(text);
  const value = parseJson(checked);
  return plain(value === undefined ? parseRepaired(checked) : value);
}

/** Reads a YAML text of another program, likewise. Anchors, aliases and merge keys are resolved. */
export function readForeignYaml(text: string): unknown {
  const checked = withinLimits(text);
  return plain(parseYaml(checked));
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH });
  } catch (error) {
    const { reason, mark } = error as { readonly reason?: unknown; readonly mark?: { readonly line?: unknown } };
    if (typeof reason !== 'string' || /nesting/.test(reason))
      throw new Error(l10n.t('it is nested too deeply.'), { cause: error });
    const text =
      typeof mark?.line === 'number'
        ? l10n.t('it is not YAML: {0} in line {1}.', reason, mark.line + 1)
        : l10n.t('it is not YAML: {0}.', reason);
    throw new Error(text, { cause: error });
  }
}

function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(repairJson(text));
  } catch (error) {
    throw new Error(l10n.t('it is not JSON.'), { cause: error });
  }
}

function withinLimits(text: string): string {
  if (text.length > MAX_FOREIGN_CHARACTERS) throw new Error(l10n.t('it is too large.'));
  return text.replace(/^\uFEFF/, '');
}

function plain(value: unknown): unknown {
  let left = MAX_VALUES;
  const copy = (one: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0) throw new Error(l10n.t('it holds too many values.'));
    if (depth > MAX_DEPTH) throw new Error(l10n.t('it is nested too deeply.'));
    if (Array.isArray(one)) return one.map((item) => copy(item, depth + 1));
    if (!isJsonObject(one)) return one;
    const fields = Object.entries(one).map(([name, field]): [string, unknown] => [name, copy(field, depth + 1)]);
    const merged = fields.filter(([name]) => name === '<<').flatMap(([, from]) => mergedFields(from));
    left -= merged.length;
    if (left < 0) throw new Error(l10n.t('it holds too many values.'));
    return Object.fromEntries([...merged, ...fields].filter(([name]) => name !== '<<' && name !== '__proto__'));
  };
  return copy(value, 0);
}

/** What a merge key adds, the strongest last. */
function mergedFields(from: unknown): readonly [string, unknown][] {
  if (Array.isArray(from)) return from.toReversed().flatMap(mergedFields);
  return isJsonObject(from) ? Object.entries(from) : [];
}
