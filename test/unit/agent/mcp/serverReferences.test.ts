import assert from 'node:assert/strict';
import { findResources, readArguments, readPromptCall } from '../../../../src/agent/mcp/serverReferences';

const isServer = (name: string): boolean => ['docs', 'my-server_2'].includes(name);

describe('references to MCP servers', () => {
  it('finds the resources that a text names, each once', () => {
    const text =
      'Compare @docs:file:///a.md, @my-server_2:db://t/1?x=1 and (@docs:b). See @docs:file:///a.md. Not me@docs:x, @other:y, @docs: or @docs';
    assert.deepEqual(findResources(text, isServer), [
      { server: 'docs', uri: 'file:///a.md' },
      { server: 'my-server_2', uri: 'db://t/1?x=1' },
    ]);
  });

  it('reads a call of a prompt only where it is the whole text', () => {
    assert.deepEqual(readPromptCall(' /docs:review  a "b c"\n', isServer), {
      server: 'docs',
      prompt: 'review',
      words: 'a "b c"',
    });
    assert.deepEqual(readPromptCall('/docs:a:b', isServer), { server: 'docs', prompt: 'a:b', words: '' });
    for (const text of ['see /docs:review', '/other:review', '/etc/hosts:1', '/docs:', '/docs review', '//docs:x']) {
      assert.equal(readPromptCall(text, isServer), undefined, text);
    }
  });

  for (const [words, expected] of [
    ['', {}],
    ['Paris', { city: 'Paris' }],
    ['Paris Ile de France', { city: 'Paris', state: 'Ile de France' }],
    ['state=TX Austin', { city: 'Austin', state: 'TX' }],
    ['"New York" state="New York"', { city: 'New York', state: 'New York' }],
    ['country=US Paris', { city: 'country=US', state: 'Paris' }],
    ['"open', { city: 'open' }],
  ] as const) {
    it(`reads the arguments of ${JSON.stringify(words)}`, () => {
      assert.deepEqual(readArguments(words, ['city', 'state']), expected);
    });
  }

  it('has nothing to give to a prompt without arguments', () => {
    assert.deepEqual(readArguments('a b=c', []), {});
  });
});
