import type { WorkspacePorts } from '../ports';
import { renderCells } from './cellText';
import { readCellText } from './notebookFiles';
import { readNotebook } from './notebookJson';
import { isNotebookPath } from './notebookPath';

/** The cells of a notebook on both sides of a review. Absent: there is no file on that side. */
export interface ReviewedCells {
  readonly before?: string | undefined;
  readonly now?: string | undefined;
}

/**
 * A changed notebook as cells. `undefined`: it is none, or one of its sides cannot be read as cells. `path`: of the file now;
 * `undefined`: it is gone. `before`: its earlier text; `undefined`: it was not there.
 */
export async function cellsToReview(
  path: string | undefined,
  before: string | undefined,
  ports: Pick<WorkspacePorts, 'fileSystem' | 'notebooks'>,
): Promise<ReviewedCells | undefined> {
  if (path === undefined || !isNotebookPath(path)) return undefined;
  const old = before === undefined ? undefined : readNotebook(before);
  const now = await readCellText(path, ports);
  if (!now || (before !== undefined && !old)) return undefined;
  return { now: now.text, ...(old && { before: renderCells(old.cells) }) };
}
