import assert from 'node:assert/strict';
import { writeEdit } from '../../../../src/workspace/tools/writeEdit';
import type { EditPlan } from '../../../../src/workspace/plans';
import type { CommandRunner, TextSearch } from '../../../../src/workspace/ports';
import { MemoryFileSystem } from '../../../support/memoryFileSystem';

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

describe('writing an edit', () => {
  let fileSystem: FormattingFileSystem;

  beforeEach(() => {
    fileSystem = new FormattingFileSystem({ '/w/a.txt': before });
  });

  const write = (after = proposed) => {
    const target = { path: '/w/a.txt', realPath: '/w/a.txt', displayPath: 'a.txt', exists: true };
    const plan: EditPlan = { kind: 'edit', operation: 'edit', target, before, after, proposed };
    const access = { ports: { fileSystem, commandRunner, textSearch }, roots: () => [{ name: 'w', path: '/w' }] };
    return writeEdit(plan, access, new AbortController().signal);
  };

  it('says what was done and nothing more when all went as proposed', async () => {
    assert.deepEqual(await write(), {
      content: 'Edited a.txt (+2 -2 lines).',
      display: { applied: true, addedLines: 2, removedLines: 2 },
    });
    assert.equal(fileSystem.textOf('/w/a.txt'), proposed);
  });

  it('names the hunks that were rejected', async () => {
    assert.deepEqual(await write(lines('A', 'b', 'c', 'd', 'e', 'f')), {
      content: 'Edited a.txt (+1 -1 lines). Rejected by the user and not applied: hunk 2 (line 6, "F") of 2.',
      display: { applied: true, addedLines: 1, removedLines: 1 },
    });
  });

  it('shows what the editor made of the file on saving', async () => {
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

  it('keeps short what a formatter did to a whole file', async () => {
    fileSystem.format = (text) => `${text}${'formatted\n'.repeat(5_000)}`;
    const { content } = await write();
    assert.ok(typeof content === 'string' && content.length < 2_000);
    assert.match(content, /more lines of this diff are not shown\]$/);
  });
});
