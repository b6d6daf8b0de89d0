import assert from 'node:assert/strict';
import { createNodePorts } from '../../../../src/workspace/node/createNodePorts';
import { createTools } from '../../../../src/workspace/tools/createTools';
import { workspaceToolNames } from '../../../../src/workspace/tools/workspaceToolNames';

describe('workspaceToolNames', () => {
  it('are the names of all tools with an editor', () => {
    const diagnostics = { read: async () => [], load: async () => {}, watch: async () => assert.fail() };
    const tools = createTools({ ports: { ...createNodePorts(), diagnostics }, roots: () => [] });
    assert.deepEqual(
      tools.map(({ name }) => name),
      workspaceToolNames,
    );
  });
});
