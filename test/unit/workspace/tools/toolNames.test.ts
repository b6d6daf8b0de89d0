import assert from 'node:assert/strict';
import { createNodePorts } from '../../../../src/workspace/node/createNodePorts';
import { createTools } from '../../../../src/workspace/tools/createTools';
import { workspaceToolNames } from '../../../../src/workspace/tools/toolNames';

describe('the names of the tools of the workspace', () => {
  it('are those that are made, with an editor', () => {
    const diagnostics = { read: async () => [], watch: async () => assert.fail() };
    const tools = createTools({ ports: { ...createNodePorts(), diagnostics }, roots: () => [] });
    assert.deepEqual(
      tools.map(({ name }) => name),
      workspaceToolNames,
    );
  });
});
