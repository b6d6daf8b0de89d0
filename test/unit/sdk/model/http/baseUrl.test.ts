import assert from 'node:assert/strict';
import { AgentError } from '../../../../../src/sdk/errors';
import { normalizeBaseUrl, originOf } from '../../../../../src/sdk/model/http/baseUrl';

describe('normalizeBaseUrl', () => {
  const cases = [
    ['http://localhost:8080', 'http://localhost:8080/v1'],
    ['http://localhost:8080/', 'http://localhost:8080/v1'],
    ['http://localhost:8080/v1', 'http://localhost:8080/v1'],
    [' http://localhost:8080/v1/ ', 'http://localhost:8080/v1'],
    ['http://localhost:8080/v1/chat/completions', 'http://localhost:8080/v1'],
    ['http://localhost:8080/chat/completions/', 'http://localhost:8080/v1'],
    ['http://localhost:8080/v1/models', 'http://localhost:8080/v1'],
    ['http://localhost:11434/api/chat', 'http://localhost:11434/v1'],
    ['localhost:8080', 'http://localhost:8080/v1'],
    ['192.168.1.5:1234/v1', 'http://192.168.1.5:1234/v1'],
    ['[::1]:8080', 'http://[::1]:8080/v1'],
    ['http://0.0.0.0:8080', 'http://127.0.0.1:8080/v1'],
    ['http:/127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['https://models.example/llama', 'https://models.example/llama'],
    ['https://models.example//api/v3/', 'https://models.example/api/v3'],
    ['https://models.example/v1?x=1#y', 'https://models.example/v1'],
  ] as const;
  for (const [input, expected] of cases) {
    it(`makes ${expected} of "${input}", and leaves that alone`, () => {
      assert.equal(normalizeBaseUrl(input), expected);
      assert.equal(normalizeBaseUrl(expected), expected);
    });
  }

  for (const input of ['', '   ', 'http://', 'ftp://host/v1', 'not a url']) {
    it(`rejects "${input}" and names it`, () => {
      assert.throws(
        () => normalizeBaseUrl(input),
        (error) =>
          error instanceof AgentError && error.code === 'invalid_options' && error.message.includes(`"${input}"`),
      );
    });
  }

  it('rejects credentials without repeating them', () => {
    assert.throws(
      () => normalizeBaseUrl('http://ada:secret@host/v1'),
      (error) => error instanceof AgentError && !error.message.includes('secret'),
    );
  });

  it('returns the origin that a key belongs to', () => {
    assert.equal(originOf('https://models.example/v1/chat/completions'), 'https://models.example');
  });
});
