import assert from 'node:assert/strict';
import { missingTools, usableTools, type AgentToolFilter } from '../../../../src/agent/configuration/toolFilter';

const tools = [
  { name: 'read_file' },
  { name: 'write_file' },
  { name: 'docs_search', server: 'docs' },
  { name: 'issue_list', server: 'tracker' },
];

const cases: readonly [string, AgentToolFilter, readonly string[]][] = [
  ['all without a filter', {}, ['read_file', 'write_file', 'docs_search', 'issue_list']],
  [
    'the included ones, in their own order',
    { includeTools: ['docs_search', 'read_file'] },
    ['read_file', 'docs_search'],
  ],
  ['none', { includeTools: [] }, []],
  ['all but the excluded', { excludeTools: ['write_file'] }, ['read_file', 'docs_search', 'issue_list']],
  ['not what is both', { includeTools: ['read_file', 'write_file'], excludeTools: ['write_file'] }, ['read_file']],
  ['those of allowed servers and the own', { allowedServers: ['docs'] }, ['read_file', 'write_file', 'docs_search']],
  ['only the own', { allowedServers: [] }, ['read_file', 'write_file']],
  ['no included tool of another server', { allowedServers: ['docs'], includeTools: ['issue_list'] }, []],
];

describe('usableTools', () => {
  for (const [name, filter, expected] of cases) {
    it(`are ${name}`, () => assert.deepEqual(usableTools(tools, filter, 'a'), expected));
  }

  it('takes the name of a tool that needs an editor, and says that it is missing', () => {
    const filter = { includeTools: ['read_file', 'get_diagnostics'], excludeTools: ['get_diagnostics'] };
    assert.deepEqual(usableTools(tools, filter), ['read_file']);
    assert.deepEqual(missingTools(tools, filter), ['get_diagnostics']);
    assert.deepEqual(missingTools([...tools, { name: 'get_diagnostics' }], filter), []);
    assert.deepEqual(missingTools(tools, { excludeTools: ['get_diagnostics'] }), []);
    assert.deepEqual(missingTools(tools, { includeTools: ['find_symbol'] }), ['find_symbol']);
  });

  for (const field of ['includeTools', 'excludeTools'] as const) {
    it(`names a slip in ${field}`, () => {
      assert.throws(() => usableTools(tools, { [field]: ['write_fil'] }, 'reviewer'), {
        code: 'invalid_options',
        message:
          `Agent "reviewer": ${field}: there is no tool "write_fil". ` +
          'The tools are: read_file, write_file, docs_search, issue_list.',
      });
      assert.throws(() => usableTools([], { [field]: ['x'] }, 'reviewer'), /no tool "x"\. There are no tools\.$/);
    });
  }
});
