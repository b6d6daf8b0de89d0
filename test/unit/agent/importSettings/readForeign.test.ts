import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readForeignJson, readForeignYaml } from '../../../../src/agent/importSettings/readForeign';
import { readContinueYaml } from '../../../../src/agent/importSettings/continueConfig';
import { readMcpSettings } from '../../../../src/agent/importSettings/mcpFile';
import { readModeFile } from '../../../../src/agent/importSettings/modeItems';

describe('files of other programs', () => {
  it('may have comments and trailing commas in JSON', () => {
    assert.deepEqual(readForeignJson('\uFEFF{ // one\n "a": [1, 2,], /* two */ "url": "http://x//y", }'), {
      a: [1, 2],
      url: 'http://x//y',
    });
  });

  it('resolves anchors and merge keys of YAML, where own values win', () => {
    const text = 'a: &a { x: 1, y: 1 }\nb: &b { y: 2, z: 2 }\nc:\n  <<: [*a, *b]\n  x: 3\n';
    assert.deepEqual((readForeignYaml(text) as { c: unknown }).c, { x: 3, y: 1, z: 2 });
  });

  it('refuses a short text that stands for a huge value', () => {
    const levels = Array.from(
      { length: 30 },
      (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]`,
    );
    const bomb = ['l0: &l0 [1]', ...levels].join('\n');
    assert.throws(() => readForeignYaml(bomb), /too many values|nested too deeply/);
    const merges = ['m0: &m0 { a: 1 }'];
    for (let index = 1; index < 200; index += 1) {
      merges.push(`m${index}: &m${index} { <<: [${`*m${index - 1}, `.repeat(50)}], k${index}: 1 }`);
    }
    assert.throws(() => readForeignYaml(merges.join('\n')), /too many values|nested too deeply/);
  });

  it('refuses deep nesting, large files and a value that contains itself', () => {
    for (const read of [readForeignJson, readForeignYaml]) {
      assert.throws(() => read('['.repeat(100_000)), Error);
      assert.throws(() => read(`${'['.repeat(60)}${']'.repeat(60)}`), /nested/);
      assert.throws(() => read(' '.repeat(300_000)), /too large/);
    }
    assert.throws(() => readForeignYaml('a: &a\n  b: *a\n'), Error);
  });

  it('gives no value a prototype of its own, and makes no objects of other kinds', () => {
    const read = readForeignJson('{ "__proto__": { "isAdmin": true }, "a": 1 }') as { isAdmin?: unknown };
    assert.equal(read.isAdmin, undefined);
    assert.deepEqual(readForeignYaml('when: 2001-12-14\nnone: ~\n'), { when: '2001-12-14', none: null });
    assert.throws(() => readForeignYaml('a: !!js/function "function () {}"'), Error);
    assert.throws(() => readForeignYaml('a: !!binary aGk='), Error);
  });

  it('become items or an error, whatever they hold', () => {
    const place = { from: 'Test', file: '/home/ada/x', home: '/home/ada' };
    const values = fc.jsonValue({ maxDepth: 4 });
    const config = fc.record({
      models: values,
      mcpServers: fc.oneof(values, fc.dictionary(fc.string(), values)),
      customModes: fc.oneof(values, fc.array(fc.record({ slug: fc.string(), name: fc.string(), groups: values }))),
      rules: values,
    });
    fc.assert(
      fc.property(config, (value) => {
        const text = JSON.stringify(value);
        for (const read of [readContinueYaml, readMcpSettings, readModeFile]) {
          for (const item of read(text, place)) assert.equal(typeof item.name, 'string');
        }
      }),
      { seed: 18, numRuns: 300 },
    );
  });
});
