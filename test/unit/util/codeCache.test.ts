import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { CodeCache } from '../../../src/util/codeCache';

describe('CodeCache', () => {
  let folder: string;
  let cached: string;
  let version: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'open-agent-code-'));
    cached = path.join(folder, 'cache');
    version = '1.0.0';
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Short files are not cached, so each has a long comment. */
  const write = (name: string, source: string): string => writeExactly(name, `${source}\n// ${'x'.repeat(16_000)}`);
  const writeExactly = (name: string, source: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, source);
    return file;
  };
  const entries = (): readonly string[] => readdirSync(cached).toSorted();
  /** Loads as one process does: once, with a save at its end. */
  const start = (file: string): unknown => {
    const cache = new CodeCache(cached, version);
    try {
      return cache.load(file);
    } finally {
      cache.save();
      for (const loaded of Object.keys(require.cache)) if (loaded.startsWith(folder)) delete require.cache[loaded];
    }
  };

  it('loads files of its own folder, packages and modules of Node', () => {
    write('part.js', 'exports.name = require("node:path").basename(__filename);');
    const file = write('main.js', 'exports.part = require("./part.js").name; exports.where = __dirname;');
    assert.deepEqual(start(file), { part: 'part.js', where: folder });
  });

  it('loads compressed files, and their cached code at the next start', () => {
    const compressed = write(
      'part.js',
      'exports.text = "ä"; exports.name = require("node:path").basename(__filename);',
    );
    writeFileSync(`${compressed}.br`, brotliCompressSync(readFileSync(compressed)));
    rmSync(compressed);
    const file = writeExactly('main.js', 'exports.part = { ...require("./part.js") };');
    const expected = { part: { text: 'ä', name: 'part.js' } };
    assert.deepEqual(start(file), expected);
    const [entry] = entries();
    const { mtimeMs } = statSync(path.join(cached, entry!));
    assert.deepEqual(start(file), expected);
    assert.deepEqual(entries(), [entry]);
    assert.equal(statSync(path.join(cached, entry!)).mtimeMs, mtimeMs, 'the entry was written once');
    writeFileSync(`${compressed}.br`, 'cut');
    assert.throws(() => start(file), /decompress|Unexpected end/i);
    rmSync(`${compressed}.br`);
    assert.throws(() => start(file), /no such file.*part\.js'/);
  });

  it('runs a file once, also when files load each other', () => {
    write('a.js', 'exports.early = 1; exports.b = require("./b.js").seen; exports.late = 2;');
    write('b.js', 'exports.seen = { ...require("./a.js") };');
    const file = write('main.js', 'exports.a = require("./a.js"); exports.same = exports.a === require("./a.js");');
    assert.deepEqual(start(file), { a: { early: 1, b: { early: 1 }, late: 2 }, same: true });
  });

  it('writes each file once and gives the same at the next start', () => {
    write('part.js', 'module.exports = (n) => n * 2;');
    const file = write('main.js', 'module.exports = require("./part.js")(21);');
    assert.equal(start(file), 42);
    const first = entries();
    assert.deepEqual(
      first.map((name) => name.replace(/-1\.0\.0-.*\.bin$/, '')),
      ['main', 'part'],
    );
    const bytes = first.map((name) => readFileSync(path.join(cached, name)));
    assert.equal(start(file), 42);
    assert.deepEqual(entries(), first);
    assert.deepEqual(
      first.map((name) => readFileSync(path.join(cached, name))),
      bytes,
    );
  });

  it('shares what it loaded with the loader of Node', () => {
    const file = write('main.js', 'module.exports = {};');
    assert.equal(require(file), new CodeCache(cached, version).load(file));
  });

  it('does not cache a short file', () => {
    assert.equal(start(writeExactly('main.js', 'module.exports = 1;')), 1);
    assert.equal(existsSync(cached), false);
  });

  it('takes a file of another version as new, also with the same length and time', () => {
    const file = write('main.js', 'module.exports = () => "old";');
    const time = new Date(0);
    utimesSync(file, time, time);
    start(file);
    write('main.js', 'module.exports = () => "new";');
    utimesSync(file, time, time);
    version = '1.0.1';
    assert.equal((start(file) as () => string)(), 'new');
  });

  it('takes a file that was built again as new', () => {
    const file = write('main.js', 'module.exports = () => "old";');
    start(file);
    write('main.js', 'module.exports = () => "new";');
    utimesSync(file, new Date(), new Date(Date.now() + 1_000));
    assert.equal((start(file) as () => string)(), 'new');
  });

  for (const [what, damage] of [
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['full of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['full of zeros at its end', (bytes: Buffer) => Buffer.from(bytes).fill(0, bytes.length - 64)],
  ] as const) {
    it(`compiles again if an entry is ${what}`, () => {
      const file = write('main.js', 'module.exports = "value";');
      start(file);
      const [entry = ''] = entries();
      const whole = readFileSync(path.join(cached, entry));
      writeFileSync(path.join(cached, entry), damage(whole));
      assert.equal(start(file), 'value');
      assert.equal(readFileSync(path.join(cached, entry)).length, whole.length);
    });
  }

  it('works without a place to write', () => {
    writeFileSync(cached, 'a file, not a folder');
    const file = write('main.js', 'module.exports = 1;');
    assert.equal(start(file), 1);
    assert.equal(readFileSync(cached, 'utf8'), 'a file, not a folder');
  });

  it('keeps what it caches to this user', function () {
    if (process.platform === 'win32') this.skip();
    const file = write('main.js', 'module.exports = 1;');
    start(file);
    const [entry = ''] = entries();
    const modes = [cached, path.join(cached, entry)].map((file) => (statSync(file).mode & 0o777).toString(8));
    assert.deepEqual(modes, ['700', '600']);
  });

  it('removes entries that are older than a month', () => {
    start(write('main.js', 'module.exports = 1;'));
    const [old = ''] = entries();
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
    utimesSync(path.join(cached, old), longAgo, longAgo);
    start(write('main.js', 'module.exports = 2;'));
    assert.equal(existsSync(path.join(cached, old)), false);
    assert.equal(entries().length, 1);
  });

  it('passes on what a file throws, with its place, and tries again', () => {
    const file = write('main.js', '\nthrow new Error("broken");');
    const cache = new CodeCache(cached, version);
    for (const _try of [1, 2]) {
      assert.throws(
        () => cache.load(file),
        (error: Error) => error.message === 'broken' && error.stack?.includes(`${file}:2`) === true,
      );
    }
  });
});
