import type { ToolContext, ToolOutput } from '../../../sdk/tool';
import { describeDecision } from '../../edits/diff/describeDecision';
import { firstChangedLine } from '../../edits/diff/firstChangedLine';
import { unifiedDiff } from '../../edits/diff/unifiedDiff';
import { notebooksOf, openShownText } from '../../notebooks/notebookFiles';
import type { EditPlan } from '../../plans';
import { ReadOnlyFileError, StaleFileError, type Problem, type ProblemWatch } from '../../ports';
import { listProblems, newProblems } from '../../problems';
import { findMoveOf, type WorkspaceAccess } from '../workspaceAccess';

const MAX_FORMAT_LINES = 80;

/**
 * Writes an approved edit. Tells the model how the result differs from its proposal, and which problems it brought. The
 * wait for problems begins after `waitForGroup`, when the other edits of the group are written.
 */
export async function writeEdit(
  plan: EditPlan,
  access: WorkspaceAccess,
  signal: AbortSignal,
  waitForGroup?: () => Promise<void>,
): Promise<ToolOutput> {
  const { target, before, after } = plan;
  const file = target.displayPath;
  if (after === before) {
    return {
      content:
        plan.proposed === before
          ? `${file} already has exactly this content.`
          : `The user removed every change from the proposal. ${file} is unchanged.`,
      display: { applied: false },
    };
  }
  const watch = await access.ports.diagnostics?.watch(target.path, { signal });
  if (before === null || watch?.before) access.problems?.noteBefore(target.path, watch?.before ?? []);
  try {
    const moved = await findMoveOf(target, access);
    if (moved !== undefined) return { content: moved, isError: true };
    signal.throwIfAborted();
    return await write(plan, access, { signal, watch, waitForGroup });
  } finally {
    watch?.dispose();
  }
}

/** Has the file checked before its edit, so that `writeEdit` need not wait for that. */
export async function loadProblems(
  { target }: EditPlan,
  { ports }: WorkspaceAccess,
  { signal }: Pick<ToolContext, 'signal'>,
): Promise<void> {
  await ports.diagnostics?.load(target.path, { signal });
}

interface WriteOptions {
  readonly signal: AbortSignal;
  readonly watch: ProblemWatch | undefined;
  readonly waitForGroup: (() => Promise<void>) | undefined;
}

async function write(
  plan: EditPlan,
  access: WorkspaceAccess,
  { signal, watch, waitForGroup }: WriteOptions,
): Promise<ToolOutput> {
  const { target, before, after, proposed } = plan;
  const file = target.displayPath;
  try {
    await writeText(plan, access);
  } catch (error) {
    if (isWriteProtected(error)) {
      return { content: `${file} is read-only. Nothing was written. Ask the user to make it writable.`, isError: true };
    }
    if (!(error instanceof StaleFileError)) throw error;
    const what = before === null ? 'was created by someone else' : 'was changed by someone else';
    return {
      content: `${file} ${what} in the meantime. Nothing was written. Read it again and repeat the change.`,
      isError: true,
    };
  }
  const { addedLines, removedLines } = unifiedDiff(before, after);
  const summary = `${VERBS[plan.operation]} ${file} (+${addedLines} -${removedLines} lines).`;
  const display = { applied: true, addedLines, removedLines, line: firstChangedLine(before, after) };
  const saving = describeSaving(after, await readSaved(target.path, access));
  if (watch) await waitForGroup?.();
  const known = access.problems ? access.problems.knownBefore(target.path, watch?.before) : watch?.before;
  const isNews = (reported: readonly Problem[]): boolean => newProblems(known ?? [], reported).length > 0;
  const problems = watch && (await watch.after({ signal, isNews }));
  const fresh = newProblems(known ?? [], problems ?? []);
  const isBeforeKnown = known !== undefined || before === null;
  access.problems?.follow(target.path, { displayPath: file, told: [...(known ?? []), ...fresh], isBeforeKnown });
  const said = [
    plan.match === 'near' ? `${summary} old_text differed slightly from the file.` : summary,
    describeDecision(before, proposed, after),
    saving,
    describeProblems(known, fresh),
  ];
  return { content: joinParts(said), display };
}

async function writeText({ target, before, after, isNotebook }: EditPlan, { ports }: WorkspaceAccess): Promise<void> {
  if (isNotebook) await notebooksOf(ports).write(target.path, after, before);
  else await ports.fileSystem.writeText(target.path, after, before);
}

/** The text after saving; `undefined` if it cannot be read any more. */
async function readSaved(file: string, { ports }: WorkspaceAccess): Promise<string | undefined> {
  return openShownText(file, ports).then(
    ({ text }) => text,
    () => undefined,
  );
}

/** The changes that an editor made while saving: format on save, code actions, trimmed lines. */
function describeSaving(written: string, saved: string | undefined): string | undefined {
  if (saved === undefined || saved === written) return undefined;
  const { text } = unifiedDiff(written, saved, { contextLines: 1, maxLines: MAX_FORMAT_LINES });
  return `On saving, the editor changed the file further (format or code actions on save):\n${text}`;
}

function describeProblems(before: readonly Problem[] | undefined, fresh: readonly Problem[]): string | undefined {
  if (fresh.length === 0) return undefined;
  const since = before === undefined ? 'Problems in the file now (some may be older)' : 'New problems since this edit';
  return `${since}:\n${listProblems(fresh)}`;
}

/** Joins the parts in one line, or with line breaks after a part that has several lines. */
function joinParts(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .reduce((all, part) => `${all}${all.includes('\n') ? '\n' : ' '}${part}`);
}

function isWriteProtected(error: unknown): boolean {
  if (error instanceof ReadOnlyFileError) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

const VERBS = { edit: 'Edited', create: 'Created', overwrite: 'Overwrote' } as const;
