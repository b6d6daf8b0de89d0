import path from 'node:path';
import { mapInSlices } from '../../../util/slices/mapInSlices';
import { guardPath } from '../../paths/guardPath';
import { isReadingProtected } from '../../paths/protectedPaths';
import type { GuardedPath } from '../../plans';
import { TextDecodeError } from '../../ports';
import { readIgnoreFile } from '../../search/readIgnoreFile';
import { keptFiles } from '../../search/walkTree';
import type { WorkspaceAccess } from '../workspaceAccess';

/** A text file whose lines may be shown. */
export interface ShownFile {
  readonly displayPath: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** Searches leave out bigger files too. */
const MAX_BYTES = 2_000_000;

/**
 * The files of which results may tell: those that a search of the workspace covers. A language server names any file, so
 * others are treated as if they were not there. One file may be shown because its reading was decided.
 */
export class ShownFiles {
  readonly #access: WorkspaceAccess;
  readonly #decided: GuardedPath | undefined;
  readonly #known = new Map<string, ShownFile | undefined>();

  constructor(access: WorkspaceAccess, decided?: GuardedPath) {
    this.#access = access;
    this.#decided = decided;
  }

  /** The files of these absolute paths that may be shown, by path. Files are opened only after they were found so. */
  async look(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ShownFile>> {
    const unknown = [...new Set(paths)].filter((file) => !this.#known.has(file));
    const guarded = await mapInSlices(unknown, async (file) => ({ file, target: await this.#guard(file) }));
    const kept = await this.#withoutIgnored(
      guarded.flatMap(({ target }) => (target ? [target] : [])),
      signal,
    );
    for (const { file, target } of guarded) {
      signal.throwIfAborted();
      this.#known.set(file, target && kept.has(target.realPath) ? await this.#open(target) : undefined);
    }
    return new Map(
      paths.flatMap((file) => {
        const shown = this.#known.get(file);
        return shown ? [[file, shown] as const] : [];
      }),
    );
  }

  /** Whether a file is in the workspace and reading it asks nobody. Ignored files too. */
  async isReadable(file: string): Promise<boolean> {
    return (await this.#guard(file)) !== undefined;
  }

  async #guard(file: string): Promise<GuardedPath | undefined> {
    const { roots, ports } = this.#access;
    const isDecided = file === this.#decided?.path || file === this.#decided?.realPath;
    if (isDecided) return this.#decided;
    const guarded = await guardPath(file, { roots: roots(), fileSystem: ports.fileSystem });
    return guarded.ok && guarded.path.exists && !isReadingProtected(guarded.path) ? guarded.path : undefined;
  }

  /** The real paths that no ignore file leaves out. */
  async #withoutIgnored(targets: readonly GuardedPath[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { fileSystem } = this.#access.ports;
    const kept = new Set<string>();
    const tops = new Map<string, string[]>();
    for (const { realPath, pathInRoot } of targets) {
      if (realPath === this.#decided?.realPath) kept.add(realPath);
      if (pathInRoot === null || pathInRoot === '') continue;
      const top = realPath.slice(0, -pathInRoot.length - 1) || path.sep;
      tops.set(top, [...(tops.get(top) ?? []), pathInRoot]);
    }
    const tree = { paths: path, readIgnoreFile: (file: string) => readIgnoreFile(file, fileSystem) };
    for (const [top, files] of tops) {
      for await (const file of keptFiles(top, files, { ...tree, top }, signal)) kept.add(file);
    }
    return kept;
  }

  async #open({ realPath, displayPath }: GuardedPath): Promise<ShownFile | undefined> {
    const { fileSystem } = this.#access.ports;
    const stat = await fileSystem.stat(realPath);
    if (stat?.kind !== 'file' || stat.size > MAX_BYTES) return undefined;
    try {
      const { text } = await fileSystem.openText(realPath);
      return { displayPath, text, lines: text.split(/\r\n|\r|\n/) };
    } catch (error) {
      if (error instanceof TextDecodeError) return undefined;
      throw error;
    }
  }
}
