import assert from 'node:assert/strict';
import { createTools } from '../../../../src/workspace/tools/createTools';
import type { EditPlan, ReadPlan } from '../../../../src/workspace/plans';
import type { CommandRunner, Root, TextSearch } from '../../../../src/workspace/ports';
import type { ImagePart } from '../../../../src/sdk/messages';
import type { JsonObject } from '../../../../src/util/json';
import { callTool, type CallOptions, type CallResult } from '../../../support/callTool';
import { dataUrl, pngOf } from '../../../support/images/sampleImages';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

const unused = (): never => assert.fail('not used here');
const commandRunner: CommandRunner = { shellName: 'bash', run: unused };
const textSearch: TextSearch = { search: unused };

describe('the file tools', () => {
  let fileSystem: MemoryFileSystem;
  let roots: readonly Root[];

  beforeEach(() => {
    fileSystem = new MemoryFileSystem({ '/w/src/main.ts': 'one\ntwo\nthree\n' });
    roots = [{ name: 'w', path: '/w' }];
  });

  const call = (name: string, input: JsonObject, options?: CallOptions): Promise<CallResult> =>
    callTool(
      createTools({ ports: { fileSystem, commandRunner, textSearch }, roots: () => roots }),
      name,
      input,
      options,
    );
  const refusal = async (name: string, input: JsonObject): Promise<string> => {
    const result = await call(name, input);
    assert.ok('refused' in result, JSON.stringify(result));
    return result.refused;
  };

  describe('read_file', () => {
    it('returns the plain text below a header', async () => {
      assert.deepEqual(await call('read_file', { path: 'src/main.ts' }), {
        content: 'src/main.ts (3 lines):\none\ntwo\nthree',
        isError: false,
      });
    });

    it('returns a range, and says how to continue', async () => {
      assert.deepEqual(await call('read_file', { path: 'src/main.ts', start_line: 2, end_line: 2 }), {
        content: 'src/main.ts (lines 2-2 of 3):\ntwo\n[There is more. Continue with start_line 3.]',
        isError: false,
      });
      assert.deepEqual(await call('read_file', { path: 'src/main.ts', start_line: '2', end_line: -1 }), {
        content: 'src/main.ts (lines 2-3 of 3):\ntwo\nthree',
        isError: false,
      });
    });

    it('returns at most 400 lines', async () => {
      fileSystem.write('/w/long.txt', Array.from({ length: 1000 }, (_, index) => `${index + 1}\n`).join(''));
      const result = await call('read_file', { path: 'long.txt' });
      assert.ok('content' in result && typeof result.content === 'string');
      const lines = result.content.split('\n');
      assert.deepEqual(
        [lines[0], lines[1], lines.at(-2), lines.at(-1), lines.length],
        ['long.txt (lines 1-400 of 1000):', '1', '400', '[There is more. Continue with start_line 401.]', 402],
      );
    });

    it('returns whole lines up to its limit, and cuts only a longer line', async () => {
      fileSystem.write('/w/wide.txt', `${'a'.repeat(20_000)}\n${'b'.repeat(20_000)}\n${'c'.repeat(50_000)}\n`);
      assert.deepEqual(await call('read_file', { path: 'wide.txt' }), {
        content: `wide.txt (lines 1-1 of 3):\n${'a'.repeat(20_000)}\n[There is more. Continue with start_line 2.]`,
        isError: false,
      });
      assert.deepEqual(await call('read_file', { path: 'wide.txt', start_line: 3 }), {
        content: `wide.txt (lines 3-3 of 3):\n${'c'.repeat(24_000)}\n[Line 3 is too long; only its first 24000 characters are shown.]`,
        isError: false,
      });
    });

    it('reads unsaved changes, without byte order mark and returns', async () => {
      fileSystem.setUnsaved('/w/src/main.ts', '\uFEFFunsaved\r\ntext');
      assert.deepEqual(await call('read_file', { path: 'src/main.ts' }), {
        content: 'src/main.ts (2 lines, with unsaved changes):\nunsaved\ntext',
        isError: false,
      });
    });

    it('reads a file of 50 MB in pieces, only as far as needed', async () => {
      const line = `${'x'.repeat(99)}\n`;
      fileSystem.write('/w/huge.log', line.repeat(500_000));
      fileSystem.openText = unused;
      let bytes = 0;
      const readSlice = fileSystem.readSlice.bind(fileSystem);
      fileSystem.readSlice = async (file, offset, maxBytes) => {
        assert.ok(maxBytes <= 1_000_000);
        bytes += maxBytes;
        return readSlice(file, offset, maxBytes);
      };
      assert.deepEqual(await call('read_file', { path: 'huge.log', start_line: 10, end_line: 11 }), {
        content: `huge.log (lines 10-11 of more than 11):\n${line}${line}[There is more. Continue with start_line 12.]`,
        isError: false,
      });
      assert.ok(bytes < 1_000_000);
      assert.deepEqual(await call('read_file', { path: 'huge.log', start_line: 500_000 }), {
        content: `huge.log (lines 500000-500000 of 500000):\n${line.trimEnd()}`,
        isError: false,
      });
      assert.deepEqual(await call('read_file', { path: 'huge.log', start_line: 500_001 }), {
        content: 'huge.log has only 500000 lines; start_line 500001 is after its end.',
        isError: true,
      });
    });

    it('names the kind of a file that it cannot read', async () => {
      fileSystem.write('/w/logo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]));
      fileSystem.write('/w/latin1.txt', new Uint8Array([0x66, 0xfc, 0x72]));
      fileSystem.write('/w/empty.txt', '');
      assert.deepEqual(await call('read_file', { path: 'logo.png' }), {
        content: 'logo.png is a PNG image of 10 bytes. read_file reads UTF-8 text only.',
        isError: true,
      });
      assert.deepEqual(await call('read_file', { path: 'latin1.txt' }), {
        content: 'latin1.txt is text in another encoding than UTF-8 of 3 bytes. read_file reads UTF-8 text only.',
        isError: true,
      });
      assert.deepEqual(await call('read_file', { path: 'empty.txt' }), {
        content: 'empty.txt is empty.',
        isError: false,
      });
    });

    describe('of an image, for a model that takes images', () => {
      const large = pngOf(3_000, 1_500);
      const smaller: ImagePart = { type: 'image', image: dataUrl(pngOf(1_280, 640)), name: 'shot.png' };
      const look = (scaleImage?: (image: ImagePart) => Promise<ImagePart>): Promise<CallResult> => {
        fileSystem.write('/w/shot.png', large);
        const ports = { fileSystem, commandRunner, textSearch };
        return callTool(createTools({ ports, roots: () => roots, takesImages: () => true, scaleImage }), 'read_file', {
          path: 'shot.png',
        });
      };

      it('gives the image that the panel has scaled down, and both sizes', async () => {
        const asked: ImagePart[] = [];
        const result = await look(async (image) => {
          asked.push(image);
          return smaller;
        });
        assert.deepEqual(asked, [{ type: 'image', image: large, name: 'shot.png' }]);
        assert.deepEqual(result, {
          content: 'shot.png (image/png, 3000 × 1500 pixels, scaled to 1280 × 640):',
          images: [smaller],
          isError: false,
        });
      });

      it('gives the image as it is where nothing scales it down', async () => {
        for (const scaleImage of [undefined, async (image: ImagePart) => image]) {
          assert.deepEqual(await look(scaleImage), {
            content: 'shot.png (image/png, 3000 × 1500 pixels):',
            images: [{ type: 'image', image: dataUrl(large), name: 'shot.png' }],
            isError: false,
          });
        }
      });
    });

    it('suggests paths that may be meant', async () => {
      fileSystem.write('/w/src/util/math.ts', '');
      assert.equal(
        await refusal('read_file', { path: 'src/mian.ts' }),
        '"src/mian.ts" does not exist. Did you mean "src/main.ts"?',
      );
      assert.equal(
        await refusal('read_file', { path: 'src/Main.js' }),
        '"src/Main.js" does not exist. Did you mean "src/main.ts"?',
      );
      assert.equal(
        await refusal('read_file', { path: 'math.ts' }),
        '"math.ts" does not exist. Did you mean "src/util/math.ts"?',
      );
      assert.equal(
        await refusal('read_file', { path: 'w/src/main.ts' }),
        '"w/src/main.ts" does not exist. Did you mean "src/main.ts"?',
      );
      assert.equal(
        await refusal('read_file', { path: 'nothing/like/this' }),
        '"nothing/like/this" does not exist. Use list_directory or search_text to find the right path.',
      );
    });

    it('refuses folders and impossible ranges, and leaves a path outside to a question', async () => {
      assert.equal(
        await refusal('read_file', { path: 'src' }),
        '"src" is a folder. Use list_directory to see what is in it.',
      );
      let asked: unknown;
      await call('read_file', { path: '../etc/passwd' }, { approve: (plan) => (asked = plan) });
      assert.equal((asked as ReadPlan).target.pathInRoot, null);
      assert.equal(
        await refusal('read_file', { path: 'src/main.ts', start_line: 3, end_line: 2 }),
        'end_line 2 is before start_line 3.',
      );
      assert.match(await refusal('read_file', {}), /"path" is missing/);
      assert.match(await refusal('read_file', { path: 'src/main.ts', start_line: 'two' }), /"start_line"/);
    });

    it('accepts other names for the tool and its parameters', async () => {
      const expected = {
        content: 'src/main.ts (lines 1-1 of 3):\none\n[There is more. Continue with start_line 2.]',
        isError: false,
      };
      assert.deepEqual(await call('view_file', { file_path: 'src/main.ts', start: 1, endLine: '1' }), expected);
      assert.deepEqual(await call('file_read', { filename: 'src/main.ts', end_line: 1 }), expected);
    });
  });

  describe('list_directory', () => {
    it('lists folders first, and marks what git ignores and links', async () => {
      fileSystem.write('/w/.gitignore', 'dist/\n*.log\n');
      fileSystem.write('/w/dist/out.js', '');
      fileSystem.write('/w/a.log', '');
      fileSystem.makeLink('/w/broken', 'nowhere');
      fileSystem.makeLink('/w/code', 'src');
      assert.deepEqual(await call('list_directory', {}), {
        content:
          '.:\ncode/ (link)\ndist/ (ignored by git)\nsrc/\n.gitignore\na.log (ignored by git)\nbroken (link that cannot be followed)',
        isError: false,
      });
      assert.deepEqual(await call('ls', { directory: 'src' }), { content: 'src:\nmain.ts', isError: false });
    });

    it('lists a folder whose ignore file is not text', async () => {
      fileSystem.write('/w/.gitignore', Buffer.from('\uFEFFdist/', 'utf16le'));
      assert.deepEqual(await call('list_directory', {}), { content: '.:\nsrc/\n.gitignore', isError: false });
    });

    it('is limited', async () => {
      for (let index = 0; index < 305; index++) fileSystem.write(`/w/many/${index}.txt`, '');
      const result = await call('list_directory', { path: 'many' });
      assert.ok('content' in result && typeof result.content === 'string');
      assert.equal(result.content.split('\n').length, 302);
      assert.match(result.content, /\[5 more entries are not shown\./);
    });

    it('lists the folders of a workspace with several', async () => {
      fileSystem.write('/lib/b.ts', '');
      roots = [...roots, { name: 'lib', path: '/lib' }];
      assert.deepEqual(await call('list_directory', {}), {
        content: 'The workspace has several folders. Paths start with their names:\nw/\nlib/',
        isError: false,
      });
      assert.deepEqual(await call('list_directory', { path: 'lib' }), { content: 'lib:\nb.ts', isError: false });
    });

    it('refuses a file, and reports an empty folder', async () => {
      fileSystem.makeDirectory('/w/empty');
      assert.deepEqual(await call('list_directory', { path: 'empty' }), {
        content: 'empty is an empty folder.',
        isError: false,
      });
      assert.equal(
        await refusal('list_directory', { path: 'src/main.ts' }),
        '"src/main.ts" is a file, not a folder. Use read_file to read it.',
      );
    });
  });

  describe('apply_edit', () => {
    const edits = [{ old_text: 'two', new_text: 'TWO\n2' }];

    it('plans the change and writes it', async () => {
      let approved: unknown;
      const result = await call('apply_edit', { path: 'src/main.ts', edits }, { approve: (plan) => (approved = plan) });
      assert.deepEqual(approved, {
        kind: 'edit',
        operation: 'edit',
        target: {
          path: '/w/src/main.ts',
          realPath: '/w/src/main.ts',
          displayPath: 'src/main.ts',
          pathInRoot: 'src/main.ts',
          exists: true,
        },
        before: 'one\ntwo\nthree\n',
        after: 'one\nTWO\n2\nthree\n',
        proposed: 'one\nTWO\n2\nthree\n',
        match: 'exact',
      });
      assert.deepEqual(result, {
        content: 'Edited src/main.ts (+2 -1 lines).',
        isError: false,
        display: { applied: true, addedLines: 2, removedLines: 1, line: 2 },
      });
      assert.equal(fileSystem.textOf('/w/src/main.ts'), 'one\nTWO\n2\nthree\n');
    });

    it('tells the model how the person changed its proposal', async () => {
      const approve = (plan: unknown): EditPlan => ({ ...(plan as EditPlan), after: 'one\nTWO\nthree\n' });
      assert.deepEqual(await call('apply_edit', { path: 'src/main.ts', edits }, { approve }), {
        content:
          'Edited src/main.ts (+1 -1 lines). The user changed your proposal before accepting it. ' +
          'The difference between your proposal and the file now:\n@@ -2,3 +2,2 @@\n TWO\n-2\n three',
        isError: false,
        display: { applied: true, addedLines: 1, removedLines: 1, line: 2 },
      });
      assert.equal(fileSystem.textOf('/w/src/main.ts'), 'one\nTWO\nthree\n');
    });

    it('writes nothing if the person removed every change', async () => {
      const approve = (plan: unknown): EditPlan => ({ ...(plan as EditPlan), after: 'one\ntwo\nthree\n' });
      assert.deepEqual(await call('apply_edit', { path: 'src/main.ts', edits }, { approve }), {
        content: 'The user removed every change from the proposal. src/main.ts is unchanged.',
        isError: false,
        display: { applied: false },
      });
    });

    it('writes nothing if the file changed after the approval', async () => {
      const approve = (plan: unknown): unknown => {
        fileSystem.write('/w/src/main.ts', 'someone else\n');
        return plan;
      };
      assert.deepEqual(await call('apply_edit', { path: 'src/main.ts', edits }, { approve }), {
        content:
          'src/main.ts was changed by someone else in the meantime. Nothing was written. Read it again and repeat the change.',
        isError: true,
      });
      assert.equal(fileSystem.textOf('/w/src/main.ts'), 'someone else\n');
    });

    it('writes nothing if the path leads to another place after the approval', async () => {
      fileSystem.write('/etc/main.ts', 'one\ntwo\nthree\n');
      const approve = (plan: unknown): unknown => {
        fileSystem.remove('/w/src/main.ts');
        fileSystem.makeLink('/w/src/main.ts', '/etc/main.ts');
        return plan;
      };
      const result = await call('apply_edit', { path: 'src/main.ts', edits }, { approve });
      assert.ok('content' in result && result.isError);
      assert.match(JSON.stringify(result.content), /outside the workspace/);
      assert.equal(fileSystem.textOf('/etc/main.ts'), 'one\ntwo\nthree\n');
    });

    it('works on unsaved changes', async () => {
      fileSystem.setUnsaved('/w/src/main.ts', 'zero\ntwo\n');
      await call('apply_edit', { path: 'src/main.ts', edits });
      assert.equal(fileSystem.textOf('/w/src/main.ts'), 'zero\nTWO\n2\n');
    });

    it('accepts the forms that models send', async () => {
      const forms: readonly (readonly [string, JsonObject])[] = [
        ['apply_edit', { path: 'src/main.ts', old_text: 'two', new_text: 'TWO' }],
        ['str_replace', { file_path: 'src/main.ts', old_str: 'two', new_str: 'TWO' }],
        ['edit_file', { file_path: 'src/main.ts', old_string: 'two', new_string: 'TWO' }],
        ['replace_in_file', { path: 'src/main.ts', search: 'two', replace: 'TWO' }],
        ['apply_edit', { path: 'src/main.ts', edits: { old_text: 'two', new_text: 'TWO' } }],
        ['apply_edit', { path: 'src/main.ts', edits: '[{"old_text": "two", "new_text": "TWO"}]' }],
        ['apply_edit', { path: 'src/main.ts', edits: [{ oldText: 'two', newText: 'TWO' }] }],
        ['multi_edit', { file: 'src/main.ts', changes: [{ search: 'two', replace: 'TWO' }] }],
      ];
      for (const [name, input] of forms) {
        fileSystem.write('/w/src/main.ts', 'one\ntwo\nthree\n');
        await call(name, input);
        assert.equal(fileSystem.textOf('/w/src/main.ts'), 'one\nTWO\nthree\n', JSON.stringify(input));
      }
    });

    it('refuses impossible edits, and changes nothing', async () => {
      fileSystem.write('/w/a.bin', new Uint8Array([0, 1]));
      assert.match(await refusal('apply_edit', { path: 'src/main.ts', edits: [] }), /edits is empty/);
      assert.match(await refusal('apply_edit', { path: 'src/main.ts' }), /"edits" is missing/);
      assert.match(
        await refusal('apply_edit', { path: 'src/main.ts', edits: [{ old_text: 'two' }] }),
        /"edits\.0\.new_text" is missing/,
      );
      assert.match(await refusal('apply_edit', { path: 'src/main.ts', edits: 'two' }), /"edits"/);
      assert.match(
        await refusal('apply_edit', { path: 'new.ts', edits }),
        /does not exist\. .*To create a file, use write_file\./,
      );
      assert.match(await refusal('apply_edit', { path: 'a.bin', edits }), /is not UTF-8 text/);
      assert.match(
        await refusal('apply_edit', { path: 'src/main.ts', edits: [{ old_text: 'four', new_text: 'x' }] }),
        /old_text is not in src\/main\.ts/,
      );
      assert.equal(fileSystem.textOf('/w/src/main.ts'), 'one\ntwo\nthree\n');
    });
  });

  describe('write_file', () => {
    it('creates a file with its folders', async () => {
      let approved: unknown;
      const result = await call(
        'create_file',
        { file_path: 'new/a.ts', file_text: 'x\n' },
        { approve: (plan) => (approved = plan) },
      );
      assert.deepEqual(approved, {
        kind: 'edit',
        operation: 'create',
        target: {
          path: '/w/new/a.ts',
          realPath: '/w/new/a.ts',
          displayPath: 'new/a.ts',
          pathInRoot: 'new/a.ts',
          exists: false,
        },
        before: null,
        after: 'x\n',
        proposed: 'x\n',
      });
      assert.deepEqual(result, {
        content: 'Created new/a.ts (+1 -0 lines).',
        isError: false,
        display: { applied: true, addedLines: 1, removedLines: 0, line: 1 },
      });
      assert.equal(fileSystem.textOf('/w/new/a.ts'), 'x\n');
    });

    it('marks the loss of a large part of a file', async () => {
      fileSystem.write('/w/long.txt', 'line\n'.repeat(30));
      let approved: unknown;
      await call('write_file', { path: 'long.txt', content: 'line\n' }, { approve: (plan) => (approved = plan) });
      assert.equal((approved as EditPlan).lostLines, 29);
      await call('write_file', { path: 'src/main.ts', content: 'one\n' }, { approve: (plan) => (approved = plan) });
      assert.equal((approved as EditPlan).lostLines, undefined);
    });

    it('refuses placeholders and notes of read_file', async () => {
      const errors = [
        await refusal('write_file', { path: 'src/main.ts', content: 'one\n// ... rest of the code ...\n' }),
        await refusal('write_file', { path: 'new.ts', content: 'one\n// ... existing code ...\n' }),
        await refusal('write_file', {
          path: 'src/main.ts',
          content: 'one\n[There is more. Continue with start_line 2.]\n',
        }),
      ];
      assert.deepEqual(errors, [
        '"// ... rest of the code ..." stands for code that is missing. Nothing was written. Use apply_edit for the parts that change.',
        '"// ... existing code ..." stands for code that is missing. Nothing was written. Write the file in full.',
        '"[There is more. Continue with start_line 2.]" is a note of read_file, not part of the file, and the rest of the file would be lost. Nothing was written. Read the rest, or use apply_edit.',
      ]);
      assert.equal(fileSystem.textOf('/w/src/main.ts'), 'one\ntwo\nthree\n');
    });

    it('says that a file is read-only', async () => {
      fileSystem.writeText = () => Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }));
      assert.deepEqual(await call('write_file', { path: 'src/main.ts', content: 'x\n' }), {
        content: 'src/main.ts is read-only. Nothing was written. Ask the user to make it writable.',
        isError: true,
      });
    });

    it('overwrites with the line ends and the byte order mark of the file', async () => {
      fileSystem.write('/w/crlf.txt', '\uFEFFa\r\nb\r\n');
      assert.deepEqual(await call('write_file', { path: 'crlf.txt', content: 'a\nc\n' }), {
        content: 'Overwrote crlf.txt (+1 -1 lines).',
        isError: false,
        display: { applied: true, addedLines: 1, removedLines: 1, line: 2 },
      });
      assert.equal(fileSystem.textOf('/w/crlf.txt'), '\uFEFFa\r\nc\r\n');
    });

    it('writes an object as JSON', async () => {
      await call('write_file', { path: 'a.json', content: { a: [1] } });
      assert.equal(fileSystem.textOf('/w/a.json'), '{\n  "a": [\n    1\n  ]\n}\n');
    });

    it('does not overwrite a file that was created after the approval', async () => {
      const approve = (plan: unknown): unknown => {
        fileSystem.write('/w/new.ts', 'theirs');
        return plan;
      };
      assert.deepEqual(await call('write_file', { path: 'new.ts', content: 'mine' }, { approve }), {
        content:
          'new.ts was created by someone else in the meantime. Nothing was written. Read it again and repeat the change.',
        isError: true,
      });
      assert.equal(fileSystem.textOf('/w/new.ts'), 'theirs');
    });

    it('refuses folders, binaries, and a content that changes nothing', async () => {
      fileSystem.write('/w/a.bin', new Uint8Array([0, 1]));
      const content = 'one\ntwo\nthree\n';
      assert.match(await refusal('write_file', { path: 'src', content }), /is a folder/);
      assert.match(await refusal('write_file', { path: 'new/', content }), /names a folder/);
      assert.match(await refusal('write_file', { path: 'a.bin', content }), /not UTF-8 text/);
      assert.match(await refusal('write_file', { path: 'src/main.ts', content }), /already has exactly this content/);
      assert.match(await refusal('write_file', { path: 'src/main.ts' }), /"content" is missing/);
    });
  });
});
