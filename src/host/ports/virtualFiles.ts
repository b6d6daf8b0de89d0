import * as vscode from 'vscode';
import { StaleFileError, type DirectoryEntry, type FileKind, type FileSystem } from '../../workspace/ports';
import { decodeText } from '../../workspace/textEncoding';
import { canonical, describePlace } from '../../workspace/paths/virtualPaths';
import { uriOf } from '../workspace/uris';
import { messageOf } from '../../util/errors';

/** Reading any part of a virtual file fetches all of it. */
const MAX_READ_BYTES = 20_000_000;

/**
 * The files that an extension provides to VS Code. VS Code cannot write a file only if it is unchanged, so the file is
 * read again just before. Links are reported and not followed.
 */
export function createVirtualFiles(): FileSystem {
  let last: { readonly file: string; readonly stamp: string; readonly bytes: Uint8Array } | undefined;

  const stat: FileSystem['stat'] = async (file) => {
    const found = await unlessMissing(vscode.workspace.fs.stat(uriOf(file)), file);
    if (!found) return undefined;
    const { type, size, mtime: modifiedMs } = found;
    const isReadOnly = ((found.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0;
    return {
      kind: kindOf(type),
      size,
      modifiedMs,
      ...(isLink(type) && { isSymbolicLink: true }),
      ...(isReadOnly && { isReadOnly }),
    };
  };

  const openText: FileSystem['openText'] = async (file) => {
    return { text: decodeText(await readVirtual(file, await stat(file)), describePlace(file)), isDirty: false };
  };

  return {
    stat,

    async realPath(file) {
      return (await stat(file)) && canonical(file);
    },

    async readSlice(file, offset, maxBytes) {
      const found = await stat(file);
      const stamp = `${found?.size} ${found?.modifiedMs}`;
      // The first slice fetches the file; later slices come from the same content.
      if (offset === 0 || last?.file !== file || last.stamp !== stamp) {
        last = { file, stamp, bytes: await readVirtual(file, found) };
      }
      const slice = last.bytes.slice(offset, offset + maxBytes);
      if (offset + maxBytes >= last.bytes.byteLength) last = undefined;
      return slice;
    },

    async listDirectory(folder) {
      const entries = await orDescribed(vscode.workspace.fs.readDirectory(uriOf(folder)), folder);
      return entries.flatMap(([name, type]): DirectoryEntry[] =>
        isName(name) ? [{ name, kind: kindOf(type), isSymbolicLink: isLink(type) }] : [],
      );
    },

    openText,

    async writeText(file, text, expected) {
      const uri = uriOf(file);
      const bytes = new TextEncoder().encode(text);
      if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) throw readOnly(file);
      const isThere = (await stat(file)) !== undefined;
      if (expected === null) {
        if (isThere) throw new StaleFileError(`${describePlace(file)} exists already.`);
        await orDescribed(vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..')), file);
      } else if (!isThere || (await openText(file)).text !== expected) {
        throw new StaleFileError(`${describePlace(file)} has changed.`);
      }
      await orDescribed(vscode.workspace.fs.writeFile(uri, bytes), file);
    },
  };
}

/** All bytes of a virtual file. Rejects when it is not a regular file, or too large to be fetched. */
export async function readVirtual(file: string, stat: Awaited<ReturnType<FileSystem['stat']>>): Promise<Uint8Array> {
  if (!stat) throw new Error(`${describePlace(file)} does not exist.`);
  if (stat.kind !== 'file' || stat.isSymbolicLink) throw new Error(`${describePlace(file)} is not a regular file.`);
  if (stat.size > MAX_READ_BYTES) {
    throw new Error(`${describePlace(file)} is ${stat.size} bytes, too much to be fetched from where it is.`);
  }
  return orDescribed(vscode.workspace.fs.readFile(uriOf(file)), file);
}

/** Rejects with an `Error` that names the file. A missing permission gives the same error as on disk. */
export async function orDescribed<T>(work: Thenable<T>, file: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'NoPermissions') throw readOnly(file, error);
    const message = messageOf(error);
    throw new Error(`${describePlace(file)}: ${message}`, { cause: error });
  }
}

async function unlessMissing<T>(work: Thenable<T>, file: string): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['FileNotFound', 'FileNotADirectory'].includes(codeOf(error) ?? '')) return undefined;
    return orDescribed(Promise.reject(error as Error), file);
  }
}

function readOnly(file: string, cause?: unknown): Error {
  return Object.assign(new Error(`${describePlace(file)} must not be written.`, { cause }), { code: 'EROFS' });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof vscode.FileSystemError ? error.code : undefined;
}

/** Whether a name is a single path segment. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[\\/]/.test(name);
}

function isLink(type: vscode.FileType): boolean {
  return (type & vscode.FileType.SymbolicLink) !== 0;
}

function kindOf(type: vscode.FileType): FileKind {
  if ((type & vscode.FileType.Directory) !== 0) return 'directory';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}
