import { contentToText, type ToolOutput } from '../../../sdk/tool';
import type { Signal } from '../../../sdk/platform';
import { isJsonObject } from '../../../util/json';
import type { EditPlan, EditsPlan } from '../../plans';
import { findMoveOf, type WorkspaceAccess } from '../workspaceAccess';
import { writeEdit } from './writeEdit';

/**
 * Writes an approved edit of several files, one after the other. If one has changed or cannot be written, takes back those
 * before it. Waits for the problems of all at the same time.
 */
export async function writeEdits(plan: EditsPlan, access: WorkspaceAccess, signal: Signal): Promise<ToolOutput> {
  const { edits, note } = plan;
  const stale = await findStale(edits, access);
  if (stale !== undefined) return { content: `${stale} Nothing was changed. Ask for the rename again.`, isError: true };
  let allWritten = (): void => {};
  const all = new Promise<void>((resolve) => {
    allWritten = resolve;
  });
  const outputs: Promise<ToolOutput>[] = [];
  const written: EditPlan[] = [];
  try {
    for (const edit of edits) {
      const failure = await writeNext(edit, { access, signal, all, outputs });
      if (failure !== undefined) return { content: `${failure} ${await takeBack(written, access)}`, isError: true };
      written.push(edit);
    }
  } catch (error) {
    await takeBack(written, access);
    throw error;
  } finally {
    allWritten();
    // Awaited below, unless a file failed: then nobody waits for problems.
    void Promise.allSettled(outputs);
  }
  const results = await Promise.all(outputs);
  const display = displayOf(edits, results);
  const texts = results.map(({ content }) => contentToText(content));
  return { content: [...texts, ...(note === undefined ? [] : [note])].join('\n'), display };
}

interface Writing {
  readonly access: WorkspaceAccess;
  readonly signal: Signal;
  readonly all: Promise<void>;
  readonly outputs: Promise<ToolOutput>[];
}

/** Resolves when the file is written, with the error if it is not. Rejects when it was stopped before. */
async function writeNext(edit: EditPlan, { access, signal, all, outputs }: Writing): Promise<string | undefined> {
  let onWritten = (): void => {};
  const isWritten = new Promise<undefined>((resolve) => {
    onWritten = () => resolve(undefined);
  });
  const output = writeEdit(edit, access, signal, () => {
    onWritten();
    return all;
  });
  outputs.push(output);
  const ended = await Promise.race([isWritten, output]);
  return ended?.isError ? contentToText(ended.content) : undefined;
}

/** The first file that is not as it was planned, in words. */
async function findStale(edits: readonly EditPlan[], access: WorkspaceAccess): Promise<string | undefined> {
  for (const { target, before } of edits) {
    const moved = await findMoveOf(target, access);
    if (moved !== undefined) return moved;
    const now = await access.ports.fileSystem.openText(target.path).then(
      ({ text }) => text,
      () => undefined,
    );
    if (now !== before) return `${target.displayPath} was changed by someone else in the meantime.`;
  }
  return undefined;
}

/** Writes the earlier texts of files. Leaves a file alone that somebody, or the editor, has changed since. */
async function takeBack(written: readonly EditPlan[], { ports }: WorkspaceAccess): Promise<string> {
  const left: string[] = [];
  for (const { target, before, after } of written.toReversed()) {
    if (after === before || before === null) continue;
    try {
      await ports.fileSystem.writeText(target.path, before, after);
    } catch {
      // The error says no more than this: the file keeps its new text.
      left.push(target.displayPath);
    }
  }
  if (left.length === 0) return 'The other files are as they were.';
  return `These files are changed already, and could not be taken back: ${left.join(', ')}.`;
}

function displayOf(edits: readonly EditPlan[], results: readonly ToolOutput[]) {
  const files = edits.flatMap(({ target }, index) => {
    const { display } = results[index] ?? {};
    if (!isJsonObject(display) || display['applied'] !== true) return [];
    const { addedLines, removedLines } = display;
    return [{ name: target.displayPath, addedLines: Number(addedLines), removedLines: Number(removedLines) }];
  });
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  return {
    applied: files.length > 0,
    addedLines: sum(files.map(({ addedLines }) => addedLines)),
    removedLines: sum(files.map(({ removedLines }) => removedLines)),
    files,
  };
}
