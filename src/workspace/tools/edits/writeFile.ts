import type { Planned, Preparation } from '../../../sdk/tool';
import { FileLines } from '../../edits/fileLines';
import { inStyleOf } from '../../edits/lineEnds';
import { findNumberedLine } from '../../edits/lineNumbers';
import { findPlaceholder } from '../../edits/placeholders';
import { findReadNotice } from '../../edits/readNotices';
import { canonicalCells } from '../../notebooks/cellText';
import { isNotebookPath } from '../../notebooks/notebookPath';
import { guardPath } from '../../paths/guardPath';
import { isNameProtected } from '../../paths/protectedPaths';
import type { EditPlan, GuardedPath } from '../../plans';
import type { DecidedFile } from './readForEdit';
import { writeFileDeclaration } from '../declarations/writeFile';
import { workspaceTool } from '../workspaceTool';
import { loadProblems, writeEdit } from './writeEdit';

/** Creates a file and its folders, or replaces a whole file and keeps its line ends and byte order mark. */
export const createWriteFileTool = workspaceTool(
  writeFileDeclaration,
  {
    async prepare({ path, content }, access): Promise<Preparation<EditPlan>> {
      const roots = access.roots();
      const guarded = await guardPath(path, { roots, fileSystem: access.ports.fileSystem, outside: 'mark' });
      if (!guarded.ok) return guarded;
      const target = guarded.path;
      // Whether a file exists is told only where its name may be known.
      if (!target.exists && !isNameProtected(target)) return planCreation(target, path, content);
      return access.readForEdit(target, (file) =>
        file.target.exists ? planReplacement(file, content) : planCreation(file.target, path, content),
      );
    },
    run: (plan, access, context) => writeEdit(plan, access, context.signal, context.waitForGroup),
  },
  { preload: loadProblems },
);

async function planCreation(target: GuardedPath, given: string, content: string): Promise<Planned<EditPlan>> {
  if (/[\\/]$/.test(given)) return { ok: false, error: `"${given}" names a folder. Give the path of a file in it.` };
  const gap = describeGap(content, undefined);
  if (gap !== undefined) return { ok: false, error: gap };
  const isNotebook = isNotebookPath(target.path) || undefined;
  const written = isNotebook ? canonicalCells(null, content) : { ok: true as const, text: content };
  if (!written.ok) return written;
  const texts = { before: null, after: written.text, proposed: written.text, ...(isNotebook && { isNotebook }) };
  return { ok: true, plan: { kind: 'edit', operation: 'create', target, ...texts } };
}

async function planReplacement({ target, open }: DecidedFile, content: string): Promise<Planned<EditPlan>> {
  const opened = await open();
  if (!opened.ok) return opened;
  const { text: before, isNotebook } = opened;
  const file = new FileLines(before);
  const gap = describeGap(content, file);
  if (gap !== undefined) return { ok: false, error: gap };
  const written = isNotebook
    ? canonicalCells(before, content)
    : { ok: true as const, text: inStyleOf(before, content) };
  if (!written.ok) return written;
  const after = written.text;
  if (after === before) return { ok: false, error: `${target.displayPath} already has exactly this content.` };
  const lostLines = countLoss(file.count, new FileLines(after).count);
  const texts = { before, after, proposed: after, ...(isNotebook && { isNotebook }) };
  return { ok: true, plan: { kind: 'edit', operation: 'overwrite', target, ...texts, lostLines } };
}

/** The error for a content that is not the whole file. */
function describeGap(content: string, file: FileLines | undefined): string | undefined {
  const notice = findReadNotice(file, content);
  if (notice !== undefined) {
    return `"${notice}" is a note of read_file, not part of the file, and the rest of the file would be lost. Nothing was written. Read the rest, or use apply_edit.`;
  }
  const numbered = findNumberedLine(file, content);
  if (numbered !== undefined) {
    return `"${numbered}" starts with a line number, which is not part of the file. Nothing was written. Leave the numbers out.`;
  }
  const placeholder = findPlaceholder(content, file);
  if (placeholder === undefined) return undefined;
  const way = file ? 'Use apply_edit for the parts that change' : 'Write the file in full';
  return `"${placeholder}" stands for code that is missing. Nothing was written. ${way}.`;
}

const MIN_LOST_LINES = 10;
const MIN_LOST_SHARE = 0.4;

/** How many lines a file loses; `undefined` if they are few, or a small part of it. */
function countLoss(before: number, after: number): number | undefined {
  const lost = before - after;
  return lost >= MIN_LOST_LINES && lost >= before * MIN_LOST_SHARE ? lost : undefined;
}
