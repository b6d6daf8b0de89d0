import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { safetySampleIds, textSamples } from '../../support/safetySample';

function filesBelow(folder: string, pattern: RegExp): readonly string[] {
  const root = path.join(projectRoot, folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(path.join(root, name), 'utf8'));
}

/** The ids that a test's source asks for. */
function claimsIn(source: string): readonly string[] {
  const byId = [...source.matchAll(/\b(?:safetySample|proving)\(\s*'([A-Z0-9 ]+)'/g)];
  const byGroup = [...source.matchAll(/\btextSamples\(\s*'([a-z-]+)'/g)];
  return [
    ...byId.flatMap(([, ids = '']) => ids.split(' ')),
    ...byGroup.flatMap(([, group = '']) => textSamples(group).map(({ id }) => id)),
  ];
}

describe('the safety samples', () => {
  it('are each proven by a test', () => {
    const claimed = new Set(filesBelow('test', /\.test\.ts$/).flatMap(claimsIn));
    console.log(`      ${claimed.size} of ${safetySampleIds.length} samples are claimed by tests`);
    assert.deepEqual(
      safetySampleIds.filter((id) => !claimed.has(id)),
      [],
    );
    assert.deepEqual(
      [...claimed].filter((id) => !safetySampleIds.includes(id)),
      [],
    );
  });

  it('are not what the product knows by heart', () => {
    const sources = filesBelow('src', /\.(?:tsx?|css)$/).join('\n');
    const attacks = ['shell-ask-posix', 'shell-ask-pwsh', 'shell-ask-cmd', 'paths-windows', 'webview'].flatMap(
      (group) => textSamples(group).map(({ input }) => input),
    );
    const ids = safetySampleIds.filter((id) => new RegExp(String.raw`\b${id}\b`).test(sources));
    const literals = attacks.filter((input) => input.length >= 8 && sources.includes(input));
    assert.deepEqual([ids, literals], [[], []]);
  });
});
