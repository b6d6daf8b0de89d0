import {
  StaleFileError,
  TextDecodeError,
  type FileSystem,
  type NotebookFiles,
  type OpenText,
  type WorkspacePorts,
} from '../ports';
import { HOW_TO_WRITE, parseCells, renderCells } from './cellText';
import { isNotebookPath } from './notebookPath';
import { renderOutputs } from './cellOutputs';
import { EMPTY_NOTEBOOK, readNotebook, readOutputs, withCells } from './notebookJson';

/** Bigger notebooks hold data. They are read in pieces, as they are stored. */
const MAX_NOTEBOOK_BYTES = 20_000_000;

/** The cells of a notebook, if the path is that of a notebook that can be read as cells. */
export async function readCellText(
  path: string,
  ports: Pick<WorkspacePorts, 'fileSystem' | 'notebooks'>,
): ReturnType<NotebookFiles['read']> {
  return isNotebookPath(path) ? notebooksOf(ports).read(path) : undefined;
}

/** The outputs of a notebook's cells, if the path is that of a notebook that can be read. */
export async function readOutputText(
  path: string,
  ports: Pick<WorkspacePorts, 'fileSystem' | 'notebooks'>,
): ReturnType<NotebookFiles['readOutputs']> {
  return isNotebookPath(path) ? notebooksOf(ports).readOutputs(path) : undefined;
}

/** The text as tools show it: of a notebook its cells. */
export async function openShownText(
  path: string,
  ports: Pick<WorkspacePorts, 'fileSystem' | 'notebooks'>,
): Promise<OpenText> {
  return (await readCellText(path, ports)) ?? ports.fileSystem.openText(path);
}

export function notebooksOf({
  fileSystem,
  notebooks,
}: Pick<WorkspacePorts, 'fileSystem' | 'notebooks'>): NotebookFiles {
  return notebooks ?? createJsonNotebooks(fileSystem);
}

/** Notebooks as files of JSON, without an editor. */
export function createJsonNotebooks(fileSystem: Pick<FileSystem, 'stat' | 'openText' | 'writeText'>): NotebookFiles {
  async function readJson(path: string): Promise<{ readonly json: string; readonly isDirty: boolean } | undefined> {
    const stat = await fileSystem.stat(path);
    if (stat?.kind !== 'file' || stat.size > MAX_NOTEBOOK_BYTES) return undefined;
    try {
      const { text: json, isDirty } = await fileSystem.openText(path);
      return { json, isDirty };
    } catch (error) {
      if (error instanceof TextDecodeError) return undefined;
      throw error;
    }
  }

  return {
    async read(path) {
      const found = await readJson(path);
      const notebook = found && readNotebook(found.json);
      if (!notebook) return undefined;
      const { cells, withOutputs } = notebook;
      return { text: renderCells(cells), isDirty: found.isDirty, cells: cells.length, withOutputs };
    },

    async readOutputs(path) {
      const found = await readJson(path);
      const cells = found && readOutputs(found.json);
      return cells && { text: renderOutputs(cells), isDirty: found.isDirty };
    },

    async write(path, text, expected) {
      const found = expected === null ? undefined : await readJson(path);
      const old = found && readNotebook(found.json);
      if (expected !== null && (!old || renderCells(old.cells) !== expected)) {
        throw new StaleFileError(`${path} has changed.`);
      }
      await fileSystem.writeText(path, jsonWith(found?.json, text), found?.json ?? null);
    },
  };
}

/** The JSON of a notebook, or of a new one, with the cells of `text`. Rejects text that is no cells. */
export function jsonWith(json: string | undefined, text: string): string {
  const parsed = parseCells(text);
  const written = parsed.ok ? withCells(json ?? EMPTY_NOTEBOOK, parsed.cells) : undefined;
  if (written === undefined) throw new Error(parsed.ok ? 'This is no notebook any more.' : HOW_TO_WRITE);
  return written;
}
