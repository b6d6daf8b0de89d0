import assert from 'node:assert/strict';
import { createQuirkMemory, noQuirks } from '../../../../../src/sdk/model/wire/serverQuirks';
import { lacksTools, templateLacksTools, withTemplateTools } from '../../../../../src/agent/servers/model/toolSupport';

describe('lacksTools', () => {
  const models = [{ id: 'able', hasTools: true }, { id: 'unable:latest', hasTools: false }, { id: 'silent' }];
  for (const [model, expected] of [
    ['able', false],
    ['unable', true],
    ['unable:latest', true],
    ['silent', false],
    ['unknown', false],
  ] as const) {
    it(`is ${expected} for the model "${model}"`, () => assert.equal(lacksTools({ models }, model), expected));
  }
});

describe('a template without tools', () => {
  const models = [
    { id: 'plain', hasTools: false },
    { id: 'able', hasTools: true },
  ];

  it('counts only where the server leaves tools out without a word', () => {
    assert.equal(templateLacksTools({ kind: 'llama.cpp', models }, 'plain'), true);
    assert.equal(templateLacksTools({ kind: 'llama.cpp', models }, 'able'), false);
    assert.equal(templateLacksTools({ kind: 'lmstudio', models }, 'plain'), false);
  });

  it('gets its tools as text, and nothing of that is learned', () => {
    const memory = createQuirkMemory();
    let lacks = true;
    const quirks = withTemplateTools(memory, () => lacks);
    assert.equal(quirks.get('plain').tools, 'text');
    quirks.learn('plain', { ...quirks.get('plain'), streamOptions: false });
    lacks = false;
    assert.deepEqual(quirks.get('plain'), { ...noQuirks, streamOptions: false });
  });
});
