import assert from 'node:assert/strict';
import { createNodePorts } from '../../../../src/workspace/node/createNodePorts';
import { fakeNavigation } from '../../../support/fakeNavigation';
import { createTools } from '../../../../src/workspace/tools/createTools';
import { workspaceToolNames } from '../../../../src/workspace/tools/workspaceToolNames';

describe('workspaceToolNames', () => {
  it('are the names of all tools with an editor and a language server', () => {
    const diagnostics = {
      read: async () => [],
      load: async () => {},
      watch: async () => assert.fail(),
      known: () => new Map(),
    };
    const codeNavigation = fakeNavigation();
    const tools = createTools({ ports: { ...createNodePorts(), diagnostics, codeNavigation }, roots: () => [] });
    assert.deepEqual(
      tools.map(({ name }) => name),
      workspaceToolNames,
    );
  });
});
