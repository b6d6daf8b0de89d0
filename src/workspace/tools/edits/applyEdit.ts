import type { JsonValue } from '../../../util/json';
import type { Planned, Preparation } from '../../../sdk/tool';
import { applyEdits } from '../../edits/applyEdits';
import { describeEditFailure } from '../../edits/describeEditFailure';
import type { TextEdit } from '../../edits/matchEdit';
import { canonicalCells, HOW_TO_WRITE, isNotebookJson } from '../../notebooks/cellText';
import type { EditPlan } from '../../plans';
import type { PlanEdits } from '../../ports';
import type { DecidedFile } from './readForEdit';
import { findFile } from '../workspaceAccess';
import { applyEditDeclaration } from '../declarations/applyEdit';
import { workspaceTool } from '../workspaceTool';
import { loadProblems, writeEdit } from './writeEdit';

/** Replaces parts of an existing file. Applies all edits of a call, or none. */
export const createApplyEditTool = workspaceTool(
  applyEditDeclaration,
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
  { preload: loadProblems },
);

async function planEdits(
  { target, open }: DecidedFile,
  edits: readonly TextEdit[],
  plan: PlanEdits = async (text, given) => applyEdits(text, given),
): Promise<Planned<EditPlan>> {
  const opened = await open();
  if (!opened.ok) return opened;
  const { text: before, isNotebook } = opened;
  if (isNotebook && edits.some((edit) => isNotebookJson(edit.oldText) && !before.includes(edit.oldText))) {
    return {
      ok: false,
      error: `${target.displayPath} cannot be edited as JSON. Read it with read_file. ${HOW_TO_WRITE}`,
    };
  }
  const result = await plan(before, edits);
  if (!result.ok) return { ok: false, error: describeEditFailure(result.failure, target.displayPath, edits.length) };
  const { match } = result;
  const written = isNotebook ? canonicalCells(before, result.text) : result;
  if (!written.ok) return written;
  const after = written.text;
  if (after === before) return { ok: false, error: `The edits leave ${target.displayPath} as it is.` };
  return {
    ok: true,
    plan: {
      kind: 'edit',
      operation: 'edit',
      target,
      before,
      after,
      proposed: after,
      match,
      ...(isNotebook && { isNotebook }),
    },
  };
}

/** The shape is validated already. */
function toTextEdit(edit: JsonValue): TextEdit {
  const { old_text, new_text } = edit as { readonly old_text: string; readonly new_text: string };
  return { oldText: old_text, newText: new_text };
}
