import assert from 'node:assert/strict';
import path from 'node:path';
import { STEPS_OF_SLICE } from '../../../src/util/slices/slices';
import { findExposedBelow } from '../../../src/workspace/paths/exposedBelow';
import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import type { DirectoryEntry, FileSystem } from '../../../src/workspace/ports';
import { keptFiles, walkTree } from '../../../src/workspace/search/walkTree';
import { createTools } from '../../../src/workspace/tools/createTools';
import { callTool } from '../../support/callTool';
import { countWork } from '../../support/workInATurn';
import { MemoryFileSystem } from '../../support/files/memoryFileSystem';

const FILES = 40_000;
const NAMES = Array.from({ length: FILES }, (_, index) => `component${index}.ts`);
/** Each piece of work looks at an entry a few times. */
const MOST = 4 * STEPS_OF_SLICE;

/** Entries that call `step` whenever somebody looks at their kind. */
function entriesOf(step: () => void): readonly DirectoryEntry[] {
  return NAMES.map((name) => ({
    name,
    get kind() {
      step();
      return 'file' as const;
    },
    isSymbolicLink: false,
  }));
}

/** One folder with very many files. */
class HugeFolder extends MemoryFileSystem {
  readonly #step: () => void;

  constructor(step: () => void) {
    super({ '/w/a.ts': '' });
    this.#step = step;
  }

  override listDirectory(): ReturnType<FileSystem['listDirectory']> {
    return Promise.resolve(entriesOf(this.#step));
  }
}

describe('a folder with very many files lets other work run while', () => {
  const { signal } = new AbortController();
  const tree = { top: '/w', paths: path.posix, readIgnoreFile: () => Promise.resolve('*.log\n/dist\n') };

  const expectTurns = async (work: (step: () => void) => Promise<unknown>): Promise<void> => {
    const { most, all } = await countWork(work);
    assert.ok(all >= FILES, `only ${all} steps`);
    assert.ok(most <= MOST, `${most} steps at once`);
  };

  const call = (fileSystem: FileSystem, name: string, input: Record<string, string>): Promise<unknown> => {
    const unused = (): never => assert.fail('not used here');
    const ports = { fileSystem, commandRunner: { shellName: 'bash', run: unused }, textSearch: { search: unused } };
    return callTool(createTools({ ports, roots: () => [{ name: 'w', path: '/w' }] }), name, input);
  };

  it('its files are walked through', () =>
    expectTurns(async (step) => {
      const walked: string[] = [];
      const list = (): Promise<readonly DirectoryEntry[]> => Promise.resolve(entriesOf(step));
      for await (const file of walkTree('/w', { ...tree, list }, signal)) walked.push(file);
      assert.deepEqual(
        walked,
        NAMES.toSorted().map((name) => `/w/${name}`),
      );
    }));

  it('the files that ripgrep named are judged', () =>
    expectTurns(async (step) => {
      for await (const file of keptFiles('/w', NAMES, tree, signal)) {
        assert.ok(file);
        step();
      }
    }));

  it('its files are listed', () => expectTurns((step) => call(new HugeFolder(step), 'list_directory', { path: '.' })));

  it('names like a missing one are looked for', () =>
    expectTurns((step) => call(new HugeFolder(step), 'read_file', { path: 'componnt1.ts' })));

  it('protected files that a command would show are looked for', () =>
    expectTurns((step) => {
      const folder = { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true };
      const roots = [{ name: 'w', path: '/w' }];
      const fileSystem = new HugeFolder(step);
      return findExposedBelow(folder, {}, { roots, fileSystem, isProtected: isReadingProtected });
    }));
});
