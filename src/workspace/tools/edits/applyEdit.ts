import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import type { Planned, Preparation, Tool } from '../../../sdk/tool';
import { applyEdits } from '../../edits/applyEdits';
import { describeEditFailure } from '../../edits/describeEditFailure';
import type { TextEdit } from '../../edits/matchEdit';
import type { EditPlan } from '../../plans';
import type { PlanEdits } from '../../ports';
import type { DecidedFile } from './readForEdit';
import { findFile, PATH_ALIASES, withNormalizedInput, type WorkspaceAccess } from '../workspaceAccess';
import { workspaceTool } from '../workspaceTool';
import { loadProblems, writeEdit } from './writeEdit';

const strict = workspaceTool(
  'apply_edit',
  'Change parts of a file. Copy old_text exactly, with indentation and enough lines to be unique.',
  {
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
  {
    async prepare({ path, edits: given }, access): Promise<Preparation<EditPlan>> {
      const edits = given.map(toTextEdit);
      if (edits.length === 0) return { ok: false, error: 'edits is empty. Give at least one old_text and new_text.' };
      const found = await findFile(path, access);
      if (!found.ok) return { ok: false, error: `${found.error} To create a file, use write_file.` };
      return access.readForEdit(found.target, (file) => planEdits(file, edits, access.ports.planEdits));
    },
    run: (plan, access, context) => writeEdit(plan, access, context.signal, context.waitForGroup),
  },
  {
    touches: ({ target }) => target.realPath,
    preload: loadProblems,
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
  },
);

/** Replaces parts of an existing file. Applies all edits of a call, or none. */
export function createApplyEditTool(access: WorkspaceAccess): Tool {
  return withNormalizedInput(strict(access), gatherEdits);
}

async function planEdits(
  { target, open }: DecidedFile,
  edits: readonly TextEdit[],
  plan: PlanEdits = async (text, given) => applyEdits(text, given),
): Promise<Planned<EditPlan>> {
  const opened = await open();
  if (!opened.ok) return opened;
  const { text: before } = opened;
  const result = await plan(before, edits);
  if (!result.ok) return { ok: false, error: describeEditFailure(result.failure, target.displayPath, edits.length) };
  const { text: after, match } = result;
  if (after === before) return { ok: false, error: `The edits leave ${target.displayPath} as it is.` };
  return { ok: true, plan: { kind: 'edit', operation: 'edit', target, before, after, proposed: after, match } };
}

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

/** The shape is validated already. */
function toTextEdit(edit: JsonValue): TextEdit {
  const { old_text, new_text } = edit as { readonly old_text: string; readonly new_text: string };
  return { oldText: old_text, newText: new_text };
}
