import assert from 'node:assert/strict';
import { AgentError } from '../../../../../src/sdk/errors';
import { tool } from '../../../../../src/sdk/tool';
import { createToolRegistry, type ToolFilter } from '../../../../../src/sdk/run/toolCalls/toolRegistry';

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

  it('names the tools when an unknown one is called', () => {
    assert.equal(registry.find('write'), undefined);
    assert.equal(registry.describeUnknown('write'), 'Unknown tool: write. The tools are: read_file, run.');
    assert.equal(createToolRegistry([]).describeUnknown('write'), 'Unknown tool: write. There are no tools.');
  });

  it('rejects two tools with one name', () => {
    assert.throws(
      () => createToolRegistry([run, run]),
      (error) => error instanceof AgentError && error.message === 'tools: two tools are named "run".',
    );
  });
});

describe('createToolRegistry with a filter', () => {
  const write = tool('write_file', 'Write', {}, () => 'x', { aliases: ['file_write', 'run'] });
  const all = [read, write, run];

  const names = (filter: ToolFilter): readonly string[] =>
    createToolRegistry(all, filter).definitions.map(({ name }) => name);

  it('offers the allowed tools, in the order of the tools', () => {
    assert.deepEqual(names({ allowedTools: ['run', 'read_file'] }), ['read_file', 'run']);
    assert.deepEqual(names({ allowedTools: [] }), []);
    assert.deepEqual(names({ disallowedTools: ['run'] }), ['read_file', 'write_file']);
  });

  it('excludes disallowed tools, even when they are allowed', () => {
    assert.deepEqual(names({ allowedTools: ['run', 'read_file'], disallowedTools: ['run'] }), ['read_file']);
  });

  it('refuses an excluded tool by each of its names, and names the available ones', () => {
    const registry = createToolRegistry(all, { allowedTools: ['read_file'] });
    for (const name of ['write_file', 'Write-File', 'file_write', 'functions.write_file']) {
      assert.equal(registry.find(name), undefined);
      assert.equal(
        registry.describeUnknown(name),
        'The tool write_file may not be used here. Nothing was executed. The tools are: read_file.',
      );
    }
  });

  it('rejects a filter that names no tool', () => {
    for (const field of ['allowedTools', 'disallowedTools'] as const) {
      assert.throws(
        () => createToolRegistry(all, { [field]: ['reed_file'] }),
        (error) =>
          error instanceof AgentError &&
          error.code === 'invalid_options' &&
          error.message === `${field}: there is no tool named "reed_file". The tools are: read_file, write_file, run.`,
      );
      assert.throws(() => createToolRegistry([], { [field]: ['x'] }), /no tool named "x"\. There are no tools\.$/);
    }
  });
});
