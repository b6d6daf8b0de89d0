import assert from 'node:assert/strict';
import { findEditHazards } from '../../../../src/agent/approval/editHazards';

function hazards(before: string | null, after: string, displayPath = 'x.json'): readonly string[] {
  const target = { path: `/w/${displayPath}`, realPath: `/w/${displayPath}`, displayPath, pathInRoot: displayPath };
  return findEditHazards({ before, after, target: { ...target, exists: before !== null } }).map(({ kind }) => kind);
}

describe('hazards of an edit', () => {
  for (const text of [
    'a\u200Bb',
    'ok\u{E0069}\u{E0067}',
    '\u202Eabc',
    'x\u2066y',
    'one\n\u3164two',
    'a\uFEFFb',
    'a\u0000',
    '\u001b[8mx',
  ]) {
    it(`are hidden characters: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(hazards(null, text, 'a.ts'), ['hidden_characters']);
    });
  }

  it('say which characters', () => {
    const target = { path: '/w/a', realPath: '/w/a', displayPath: 'a', pathInRoot: 'a', exists: true };
    assert.deepEqual(findEditHazards({ before: null, after: 'a\u200Bb\u202Ec', target }), [
      {
        kind: 'hidden_characters',
        warning: 'The new text has characters that do not show: <U+200B> <U+202E>. They can hide what it does.',
      },
    ]);
  });

  it('are none in ordinary text, emoji and a byte order mark', () => {
    for (const text of ['plain\r\n\ttext\n', '👩‍👩‍👧 ok ❤️', '\uFEFFtext', 'naïve 日本']) {
      assert.deepEqual(hazards(null, text), [], text);
    }
  });

  it('are not text that was there before', () => {
    assert.deepEqual(hazards('a\u200Bb\nc', 'a\u200Bb\nd', 'a.ts'), []);
    assert.deepEqual(hazards('{"$schema":"https://a/"}', '{"$schema":"https://a/", "b": 1}'), []);
    assert.deepEqual(hazards('{"$schema":"https://a/"}', '{"$schema":"https://b/"}'), ['remote_schema']);
  });

  for (const text of [
    '{"$schema":"https://evil/?d=S"}',
    '{"\\u0024schema" : "http:\\/\\/evil"}',
    '{"$\\u0073chema": /* why */ "https://evil"}',
    "{'$schema': // x\n 'ftp://evil'}",
    '# yaml-language-server: $schema=https://evil/x.json\na: 1',
    '#:schema https://evil/x.json\n[a]',
  ]) {
    it(`are schemas elsewhere: ${JSON.stringify(text)}`, () => {
      for (const file of ['x.json', 'a/.eslintrc', 'x.yaml', 'x.toml']) {
        assert.deepEqual(hazards(null, text, file), ['remote_schema'], file);
      }
    });
  }

  it('are no schemas beside the file, and none in code', () => {
    assert.deepEqual(hazards(null, '{"$schema":"./schema.json", "url": "https://a/"}'), []);
    assert.deepEqual(hazards(null, 'const x = { $schema: "https://a/" }', 'x.ts'), []);
  });
});
