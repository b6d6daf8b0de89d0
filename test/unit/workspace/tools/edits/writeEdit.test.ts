import assert from 'node:assert/strict';
import type { WorkspaceAccess } from '../../../../../src/workspace/tools/workspaceAccess';
import { writeEdit } from '../../../../../src/workspace/tools/edits/writeEdit';
import type { EditPlan } from '../../../../../src/workspace/plans';
import type { CommandRunner, Diagnostics, Problem, TextSearch } from '../../../../../src/workspace/ports';
import { MemoryFileSystem } from '../../../../support/files/memoryFileSystem';

const unused = (): never => assert.fail('not used here');
const commandRunner: CommandRunner = { shellName: 'bash', run: unused };
const textSearch: TextSearch = { search: unused };
const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const before = lines('a', 'b', 'c', 'd', 'e', 'f');
const proposed = lines('A', 'b', 'c', 'd', 'e', 'F');

/** An editor that formats what it saves. */
class FormattingFileSystem extends MemoryFileSystem {
  format: (text: string) => string = (text) => text;

  override writeText(file: string, text: string, expected: string | null): Promise<void> {
    return super.writeText(file, this.format(text), expected);
  }
}

describe('writeEdit', () => {
  let fileSystem: FormattingFileSystem;

  beforeEach(() => {
    diagnostics = undefined;
    fileSystem = new FormattingFileSystem({ '/w/a.txt': before });
  });

  let diagnostics: Diagnostics | undefined;

  const write = (after = proposed, { signal } = new AbortController()) => {
    const target = { path: '/w/a.txt', realPath: '/w/a.txt', displayPath: 'a.txt', pathInRoot: 'a.txt', exists: true };
    const plan: EditPlan = { kind: 'edit', operation: 'edit', target, before, after, proposed };
    const access: WorkspaceAccess = {
      ports: { fileSystem, commandRunner, textSearch, diagnostics },
      roots: () => [{ name: 'w', path: '/w' }],
      commandOptions: () => ({ inTerminal: false }),
    };
    return writeEdit(plan, access, signal);
  };

  it('reports only the edit if it was applied as proposed', async () => {
    assert.deepEqual(await write(), {
      content: 'Edited a.txt (+2 -2 lines).',
      display: { applied: true, addedLines: 2, removedLines: 2, line: 1 },
    });
    assert.equal(fileSystem.textOf('/w/a.txt'), proposed);
  });

  it('names the rejected hunks', async () => {
    assert.deepEqual(await write(lines('A', 'b', 'c', 'd', 'e', 'f')), {
      content: 'Edited a.txt (+1 -1 lines). Rejected by the user and not applied: hunk 2 (line 6, "F") of 2.',
      display: { applied: true, addedLines: 1, removedLines: 1, line: 1 },
    });
  });

  it('shows the changes that the editor made on saving', async () => {
    fileSystem.format = (text) => text.replace('A\n', 'A;\n');
    assert.equal(
      (await write()).content,
      [
        'Edited a.txt (+2 -2 lines). On saving, the editor changed the file further (format or code actions on save):',
        '@@ -1,2 +1,2 @@',
        '-A',
        '+A;',
        ' b',
      ].join('\n'),
    );
  });

  describe('with problems from an editor', () => {
    const problem = (line: number, message: string): Problem => ({ line, severity: 'error', message, source: 'ts' });
    let calls: string[];

    /** Says the one before the change, which it sees, and the other after it. */
    const knows = (known: readonly Problem[] | undefined, after: readonly Problem[]): Diagnostics => ({
      read: unused,
      load: unused,
      known: () => new Map(),
      watch: async (file) => {
        calls.push(`watch ${file} with ${fileSystem.textOf(file) === before ? 'the text before' : 'another text'}`);
        return {
          before: known,
          after: async () => {
            calls.push(`after ${fileSystem.textOf(file) === proposed ? 'writing' : 'nothing'}`);
            return after;
          },
          dispose: () => void calls.push('dispose'),
        };
      },
    });

    beforeEach(() => {
      calls = [];
    });

    it('reports new problems', async () => {
      diagnostics = knows([problem(2, 'Old.')], [problem(3, 'Old.'), problem(1, 'A is not\ndefined.')]);
      assert.equal(
        (await write()).content,
        'Edited a.txt (+2 -2 lines). New problems since this edit:\nline 1: error: A is not defined. (ts)',
      );
      assert.deepEqual(calls, ['watch /w/a.txt with the text before', 'after writing', 'dispose']);
    });

    it('reports nothing without new problems, and says if the file was not checked before', async () => {
      diagnostics = knows([problem(2, 'Old.')], [problem(2, 'Old.')]);
      assert.equal((await write()).content, 'Edited a.txt (+2 -2 lines).');
      fileSystem.write('/w/a.txt', before);
      diagnostics = knows(undefined, [problem(2, 'Old?')]);
      assert.equal(
        (await write()).content,
        'Edited a.txt (+2 -2 lines). Problems in the file now (some may be older):\nline 2: error: Old? (ts)',
      );
    });

    it('stops watching if nothing is written, and writes nothing once stopped', async () => {
      diagnostics = knows([], []);
      const controller = new AbortController();
      const { watch } = diagnostics;
      diagnostics = {
        ...diagnostics,
        watch: (file, options) => {
          controller.abort();
          return watch(file, options);
        },
      };
      await assert.rejects(write(proposed, controller));
      assert.equal(fileSystem.textOf('/w/a.txt'), before);
      assert.deepEqual(calls, ['watch /w/a.txt with the text before', 'dispose']);
    });

    it('follows the changes of saving, on its own line', async () => {
      fileSystem.format = (text) => text.replace('A\n', 'A;\n');
      diagnostics = knows([], [problem(1, 'New.')]);
      assert.match(
        (await write()).content as string,
        /\n b\nNew problems since this edit:\nline 1: error: New\. \(ts\)$/,
      );
    });
  });

  it('shortens the changes of a formatter to a whole file', async () => {
    fileSystem.format = (text) => `${text}${'formatted\n'.repeat(5_000)}`;
    const { content } = await write();
    assert.ok(typeof content === 'string' && content.length < 2_000);
    assert.match(content, /more lines of this diff are not shown\]$/);
  });
});
