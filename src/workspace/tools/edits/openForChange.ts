import type { Preparation } from '../../../sdk/tool';
import { isReadingProtected } from '../../paths/protectedPaths';
import type { GuardedPath } from '../../plans';
import type { OpenText } from '../../ports';
import { TextDecodeError } from '../../ports';
import type { Found, WorkspaceAccess } from '../workspaceAccess';

/** Bigger files are data, and a diff of them is useless. */
const MAX_EDITED_BYTES = 5_000_000;

export type Opened = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

/** The current text of a file to change, with unsaved changes. */
export async function openForChange(
  { target, stat: known }: Extract<Found, { ok: true }>,
  access: WorkspaceAccess,
): Promise<Opened> {
  const stat = known ?? (await access.ports.fileSystem.stat(target.realPath));
  if (stat?.kind !== 'file') return { ok: false, error: `"${target.displayPath}" is not a file.` };
  if (stat.size > MAX_EDITED_BYTES) {
    return {
      ok: false,
      error: `"${target.displayPath}" is ${stat.size} bytes, which is too big to edit. Use a command instead.`,
    };
  }
  if (stat.isReadOnly) {
    return {
      ok: false,
      error: `"${target.displayPath}" is read-only, so it cannot be changed. Ask the user to make it writable.`,
    };
  }
  let opened: OpenText;
  try {
    opened = await access.ports.fileSystem.openText(target.path);
  } catch (error) {
    if (!(error instanceof TextDecodeError)) throw error;
    return { ok: false, error: `"${target.displayPath}" is not UTF-8 text, so it cannot be edited as text.` };
  }
  return { ok: true, text: opened.text };
}

/**
 * Prepares an edit. If reading the target needs a question, an error tells nothing about the file, because nobody was asked
 * yet: neither its content, nor its size, nor whether it exists.
 */
export async function prepareEdit<Plan>(
  { displayPath, ...target }: GuardedPath,
  prepare: () => Promise<Preparation<Plan>>,
): Promise<Preparation<Plan>> {
  if (!isReadingProtected({ displayPath, ...target })) return prepare();
  const prepared = await prepare().catch(() => undefined);
  if (prepared?.ok) return prepared;
  return {
    ok: false,
    error: `The edit does not fit "${displayPath}". Nothing was changed. The file is protected, so no more is said about it here. Use read_file first, which asks the user.`,
  };
}
