import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import type { EditPlan } from '../../plans';
import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

export const applyEditDeclaration = declareTool({
  name: 'apply_edit',
  description: 'Change parts of a file. Copy old_text exactly, with indentation and enough lines to be unique.',
  shape: {
    path: 'string',
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old_text: { type: 'string' }, new_text: { type: 'string' } },
        required: ['old_text', 'new_text'],
      },
    },
  },
  touches: ({ target }: EditPlan) => target.realPath,
  aliases: [
    'edit',
    'edit_file',
    'str_replace',
    'str_replace_editor',
    'str_replace_based_edit_tool',
    'replace',
    'replace_in_file',
    'search_replace',
    'multi_edit',
    'apply_diff',
    'modify_file',
  ],
  parameterAliases: PATH_ALIASES,
  normalize: gatherEdits,
});

/** Accepts the forms of `edits` that models send: an array, one object, JSON text of these, or one edit beside the path. */
function gatherEdits(input: JsonObject): JsonObject {
  const { edits: given, changes, replacements, ...rest } = input;
  const edits = parseIfJson(given ?? changes ?? replacements);
  if (Array.isArray(edits))
    return { ...rest, edits: edits.map((edit: JsonValue) => withKnownNames(parseIfJson(edit))) };
  if (isJsonObject(edits)) return { ...rest, edits: [withKnownNames(edits)] };
  const flat = withKnownNames(rest);
  if (isJsonObject(flat) && ('old_text' in flat || 'new_text' in flat)) {
    const { old_text, new_text, ...others } = flat;
    const edit = { ...(old_text === undefined ? {} : { old_text }), ...(new_text === undefined ? {} : { new_text }) };
    return { ...others, edits: [edit] };
  }
  return input;
}

const EDIT_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['old_str', 'old_string', 'oldText', 'oldString', 'old', 'search', 'find', 'search_text', 'original', 'from'].map(
    (name) => [name, 'old_text'] as const,
  ),
  ...[
    'new_str',
    'new_string',
    'newText',
    'newString',
    'new',
    'replace',
    'replacement',
    'replace_text',
    'updated',
    'to',
  ].map((name) => [name, 'new_text'] as const),
]);

function withKnownNames(edit: JsonValue | undefined): JsonValue {
  if (!isJsonObject(edit)) return edit ?? null;
  return Object.fromEntries(Object.entries(edit).map(([name, value]) => [EDIT_ALIASES.get(name) ?? name, value]));
}

function parseIfJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    // Not JSON: validation reports it.
    return value;
  }
}
