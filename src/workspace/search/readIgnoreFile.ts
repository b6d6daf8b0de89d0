import { TextDecodeError, type FileSystem } from '../ports';

const MAX_IGNORE_BYTES = 1_000_000;

/** The text of an ignore file; `undefined`: there is none that git would read. */
export async function readIgnoreFile(file: string, fileSystem: FileSystem): Promise<string | undefined> {
  // As in git: a link could lead to any file, whose lines would then decide what is marked.
  if ((await fileSystem.readLink?.(file)) !== undefined) return undefined;
  const stat = await fileSystem.stat(file);
  if (stat?.kind !== 'file' || stat.isSymbolicLink || stat.size >= MAX_IGNORE_BYTES) return undefined;
  try {
    return (await fileSystem.openText(file)).text;
  } catch (error) {
    // Old PowerShells write UTF-16. Git finds no rules in such a file.
    if (error instanceof TextDecodeError) return undefined;
    throw error;
  }
}
