import assert from 'node:assert/strict';
import { lacksTools } from '../../../../../src/agent/servers/model/toolSupport';

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
