import type { Planned, Preparation } from '../../../sdk/tool';
import { isReadingProtected } from '../../paths/protectedPaths';
import type { EditPlan, GuardedPath, ReadPlan } from '../../plans';
import { readCellText } from '../../notebooks/notebookFiles';
import { TextDecodeError } from '../../ports';
import { lookAgain, type WorkspaceAccess } from '../workspaceAccess';

/**
 * A file whose reading is decided. Only `readForEdit` makes one, so no text of another file can get into a plan or an
 * error.
 */
export interface DecidedFile {
  readonly target: GuardedPath;
  /** The current text, with unsaved changes. */
  readonly open: () => Promise<Opened>;
}

export type Opened =
  | { readonly ok: true; readonly text: string; readonly isNotebook?: true | undefined }
  | { readonly ok: false; readonly error: string };

/**
 * Plans an edit of a file. If reading the file asks, the preparation asks for that first, and nothing of the file is
 * opened before: neither a plan nor an error may depend on it.
 */
export async function readForEdit(
  target: GuardedPath,
  access: WorkspaceAccess,
  plan: (file: DecidedFile) => Promise<Planned<EditPlan>>,
): Promise<Preparation<EditPlan>> {
  if (!isReadingProtected(target)) return plan({ target, open: () => openText(target, access) });
  const reading: ReadPlan = { kind: 'read', target, isFor: 'edit', query: {} };
  return {
    ok: true,
    reading,
    async planAfterReading() {
      const now = await lookAgain(target, access);
      if (!now.ok) return now;
      return plan({ target: now.path, open: () => openText(now.path, access) });
    },
  };
}

/** Bigger files are data, and a diff of them is useless. */
const MAX_EDITED_BYTES = 5_000_000;

async function openText({ path, realPath, displayPath }: GuardedPath, { ports }: WorkspaceAccess): Promise<Opened> {
  const stat = await ports.fileSystem.stat(realPath);
  if (!stat) return refuse(`"${displayPath}" does not exist. To create a file, use write_file.`);
  if (stat.kind === 'directory') {
    return refuse(`"${displayPath}" is a folder. Use list_directory to see what is in it.`);
  }
  if (stat.kind !== 'file') return refuse(`"${displayPath}" is not a file.`);
  if (stat.isReadOnly) {
    return refuse(`"${displayPath}" is read-only, so it cannot be changed. Ask the user to make it writable.`);
  }
  const cells = await readCellText(path, ports);
  if ((cells?.text.length ?? stat.size) > MAX_EDITED_BYTES) {
    return refuse(`"${displayPath}" is ${stat.size} bytes, which is too big to edit. Use a command instead.`);
  }
  if (cells) return { ok: true, text: cells.text, isNotebook: true };
  try {
    return { ok: true, text: (await ports.fileSystem.openText(path)).text };
  } catch (error) {
    if (!(error instanceof TextDecodeError)) throw error;
    return refuse(`"${displayPath}" is not UTF-8 text, so it cannot be edited as text.`);
  }
}

function refuse(error: string): Opened {
  return { ok: false, error };
}
