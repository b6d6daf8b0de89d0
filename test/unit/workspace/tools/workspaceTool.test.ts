import assert from 'node:assert/strict';
import { declareTool } from '../../../../src/workspace/tools/declarations/toolDeclaration';
import { workspaceTool } from '../../../../src/workspace/tools/workspaceTool';

describe('workspaceTool', () => {
  it('gives prepare no way to open or change a file', () => {
    const create = workspaceTool(
      declareTool({ name: 'peek', description: 'Opens a file too early.', shape: { path: 'string' } }),
      {
        async prepare({ path }, { ports }) {
          // @ts-expect-error The right to read is not decided yet.
          await ports.fileSystem.openText(path);
          // @ts-expect-error
          await ports.fileSystem.readSlice(path, 0, 1);
          // @ts-expect-error
          await ports.fileSystem.writeText(path, '', null);
          // @ts-expect-error
          await ports.textSearch.search({}, {});
          // @ts-expect-error
          await ports.commandRunner.run({}, {});
          // @ts-expect-error
          await ports.commandOutputs?.openText(path);
          // @ts-expect-error
          await ports.diagnostics?.read(path, {});
          return { ok: true, plan: { path } };
        },
        run: ({ path }, { ports }) => ports.fileSystem.openText(path),
      },
    );
    assert.equal(typeof create, 'function');
  });
});
