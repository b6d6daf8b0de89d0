import assert from 'node:assert/strict';
import { AgentError } from '../../../src/sdk/errors';
import { tool } from '../../../src/sdk/tool';
import { createToolRegistry } from '../../../src/sdk/toolRegistry';

const read = tool('read_file', 'Read', {}, () => 'x', { aliases: ['file_read', 'run'] });
const run = tool('run', 'Run', {}, () => 'x', { aliases: ['execute_bash'] });

describe('createToolRegistry', () => {
  const registry = createToolRegistry([read, run]);

  for (const name of [
    'read_file',
    'Read_File',
    'read-file',
    'functions.read_file',
    'read_file<|channel|>commentary',
    'file_read',
  ]) {
    it(`finds read_file as ${name}`, () => assert.equal(registry.find(name), read));
  }

  it('prefers a real name to an alias of another tool', () => assert.equal(registry.find('RUN'), run));

  it('tells the real names to who calls a tool that is not there', () => {
    assert.equal(registry.find('write'), undefined);
    assert.equal(registry.describeUnknown('write'), 'Unknown tool: write. The tools are: read_file, run.');
    assert.equal(createToolRegistry([]).describeUnknown('write'), 'Unknown tool: write. There are no tools.');
  });

  it('refuses two tools of one name', () => {
    assert.throws(
      () => createToolRegistry([run, run]),
      (error) => error instanceof AgentError && error.message === 'tools: two tools are named "run".',
    );
  });
});
