import assert from 'node:assert/strict';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { removeUnusedImages } from '../../../src/agent/sessionFiles/orphanedImages';
import { SessionTrash } from '../../../src/agent/sessionFiles/sessionTrash';
import { CHECKPOINT_LIMITS } from '../../../src/cli/session/checkpoints';
import { CodeCache } from '../../../src/util/codeCache';
import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';
import { createOutputFolder } from '../../../src/workspace/node/commands/outputFolder';
import { pruneSetAside } from '../../../src/workspace/node/confinement/setAside';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
/** Far enough from the clock of this machine that nothing here depends on it. */
const NOW_MS = Date.parse('2030-01-01T00:00:00Z');

/** How long, and how many bytes, docs/privacy.md says of what it calls `what`. */
function publishedIn(document: string, what: string): { readonly ageMs: number; readonly bytes: number } {
  const row = document.split('\n').find((line) => line.startsWith(`| ${what} `)) ?? assert.fail(`no row "${what}"`);
  const words = row.split('|')[3]?.trim() ?? '';
  const [, count, unit] = /(\d+|\ba) (day|week|month)s?\b/.exec(words) ?? assert.fail(words);
  const days = { day: 1, week: 7, month: 30 }[unit as 'day' | 'week' | 'month'];
  return {
    ageMs: (count === 'a' ? 1 : Number(count)) * days * DAY_MS,
    bytes: Number(/(\d+) MB/.exec(words)?.[1] ?? Number.NaN) * 1_000_000,
  };
}

describe('what is kept, and how long docs/privacy.md says that it is', () => {
  let folder: TemporaryFolder;
  let document: string;
  before(async () => {
    document = await nodeFiles.readFile(path.join(projectRoot, 'docs/privacy.md'), 'utf8');
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder({});
  });
  afterEach(() => folder.dispose());

  const published = (what: string) => publishedIn(document, what);
  const place = (...names: readonly string[]): string => path.join(folder.path, ...names);
  /** A file of this age. Its bytes are no more than a size. */
  async function fileOf(ageMs: number, file: string, bytes = 1): Promise<void> {
    await nodeFiles.mkdir(path.dirname(file), { recursive: true });
    await nodeFiles.writeFile(file, '');
    await nodeFiles.truncate(file, bytes);
    const seconds = (NOW_MS - ageMs) / 1_000;
    await nodeFiles.utimes(file, seconds, seconds);
  }
  const left = async (...names: readonly string[]): Promise<readonly string[]> =>
    (await nodeFiles.readdir(place(...names))).toSorted();

  it('deleted sessions', async () => {
    const { ageMs } = published('deleted sessions');
    const [old, young] = [NOW_MS - ageMs - MINUTE_MS, NOW_MS - ageMs + MINUTE_MS];
    await fileOf(0, place('trash', `a.${old}.jsonl`));
    await fileOf(0, place('trash', `a.${young}.jsonl`));
    await new SessionTrash({ directory: folder.path, disk: nodeFiles }).purge(NOW_MS);
    assert.deepEqual(await left('trash'), [`a.${young}.jsonl`]);
  });

  it('images that no session names', async () => {
    const { ageMs } = published('images of messages');
    const [old, young, named] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    await fileOf(ageMs + MINUTE_MS, place('images', `${old}`));
    await fileOf(ageMs - MINUTE_MS, place('images', `${young}`));
    await fileOf(ageMs + MINUTE_MS, place('images', `${named}`));
    await nodeFiles.writeFile(place('s.jsonl'), `{"images":[{"hash":"${named}"}]}\n`);
    await removeUnusedImages(folder.path, nodeFiles, NOW_MS);
    assert.deepEqual(await left('images'), [young, named]);
  });

  for (const what of ['outputs of commands', 'its outputs of commands']) {
    it(what, async () => {
      const { ageMs, bytes } = published(what);
      await fileOf(ageMs + MINUTE_MS, place('outputs', '00000001.txt'));
      await fileOf(ageMs - MINUTE_MS, place('outputs', '00000002.txt'), bytes / 2);
      await fileOf(2 * MINUTE_MS, place('outputs', '00000003.txt'), bytes / 2 - 10);
      await fileOf(MINUTE_MS, place('outputs', '00000004.txt'), 10);
      const outputs = createOutputFolder(place('outputs'));
      await outputs.prune(NOW_MS);
      assert.deepEqual(await left('outputs'), ['00000002.txt', '00000003.txt', '00000004.txt']);
      await fileOf(0, place('outputs', '00000005.txt'));
      await outputs.prune(NOW_MS);
      assert.deepEqual(await left('outputs'), ['00000003.txt', '00000004.txt', '00000005.txt']);
    });
  }

  it('what a confined command must not create', async () => {
    const { ageMs } = published('files that a confined command must not create');
    for (const [name, age] of [
      ['old', ageMs + MINUTE_MS],
      ['young', ageMs - MINUTE_MS],
    ] as const) {
      await fileOf(age, place('set-aside', name, '.envrc'));
      const seconds = (NOW_MS - age) / 1_000;
      await nodeFiles.utimes(place('set-aside', name), seconds, seconds);
    }
    await pruneSetAside(place('set-aside'), NOW_MS);
    assert.deepEqual(await left('set-aside'), ['young']);
  });

  it('earlier contents of files', async () => {
    const { ageMs, bytes } = published('its earlier contents of files');
    assert.deepEqual(CHECKPOINT_LIMITS, { maxAgeMs: ageMs, maxBytes: bytes });
    const settings = JSON.parse(await nodeFiles.readFile(path.join(projectRoot, 'package.json'), 'utf8')) as {
      readonly contributes: {
        readonly configuration: readonly { readonly properties: Record<string, { readonly default?: unknown }> }[];
      };
    };
    const defaultOf = (name: string): unknown =>
      settings.contributes.configuration.map(({ properties }) => properties[name]).find(Boolean)?.default;
    const inWindow = published('earlier contents of changed files');
    assert.equal(defaultOf('openAgent.checkpoints.maxAgeDays'), inWindow.ageMs / DAY_MS);
    assert.equal(defaultOf('openAgent.checkpoints.maxSizeMB'), inWindow.bytes / 1_000_000);

    const name = (letter: string): string => letter.repeat(64);
    await fileOf(ageMs + MINUTE_MS, place('aa', name('a')));
    await fileOf(ageMs - MINUTE_MS, place('bb', name('b')), bytes / 2);
    await fileOf(MINUTE_MS, place('cc', name('c')), bytes / 2);
    const blobs = createBlobFolder(folder.path);
    await blobs.prune(CHECKPOINT_LIMITS, NOW_MS);
    assert.deepEqual([await left('aa'), await left('bb'), await left('cc')], [[], [name('b')], [name('c')]]);
    await fileOf(0, place('dd', name('d')));
    await blobs.prune(CHECKPOINT_LIMITS, NOW_MS);
    assert.deepEqual([await left('bb'), await left('cc'), await left('dd')], [[], [name('c')], [name('d')]]);
  });

  it('compiled code', async () => {
    const { ageMs } = published('its compiled code, to start faster');
    const file = place('main.js');
    await nodeFiles.writeFile(file, `exports.x = 1;\n// ${'x'.repeat(20_000)}`);
    const start = (): void => {
      const cache = new CodeCache(place('cache'), '1.0.0');
      cache.load(file);
      cache.save();
      // As a new process would.
      delete require.cache[file];
    };
    start();
    const [own = ''] = await left('cache');
    // The cache uses the clock of the machine.
    for (const [name, age] of [
      ['old.bin', ageMs + DAY_MS],
      ['young.bin', ageMs - DAY_MS],
    ] as const) {
      await nodeFiles.writeFile(place('cache', name), '');
      await nodeFiles.utimes(place('cache', name), (Date.now() - age) / 1_000, (Date.now() - age) / 1_000);
    }
    // Only a start that adds something clears up.
    await nodeFiles.writeFile(file, `exports.x = 2;\n// ${'y'.repeat(20_000)}`);
    start();
    const names = await left('cache');
    assert.ok(names.includes(own) && names.includes('young.bin') && !names.includes('old.bin'), names.join(' '));
  });
});
