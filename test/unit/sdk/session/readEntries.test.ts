import assert from 'node:assert/strict';
import { exportAsMarkdown } from '../../../../src/agent/sessionFiles/exportSession';
import { viewFromEntries } from '../../../../src/agent/view/fold/viewFromEntries';
import { estimateMessageTokens } from '../../../../src/sdk/context/tokenCount';
import { readEntries, readEntriesFrom } from '../../../../src/sdk/session/readEntries';
import { replayMessages } from '../../../../src/sdk/session/replay';
import { piecesOf } from '../../../support/sessions/piecesOf';

function line(id: string, parentId: string | null, more: object = { type: 'title', title: id }): string {
  return `${JSON.stringify({ v: 1, id, parentId, seq: 0, ts: 0, ...more })}\n`;
}

function read(text: string): { ids: readonly string[]; problems: readonly string[] } {
  const { entries, problems } = readEntries(Buffer.from(text));
  return {
    ids: entries.map(({ id, parentId }) => `${id}<${parentId}`),
    problems: problems.map(({ line: at, kind, message }) => `${at} ${kind}: ${message}`),
  };
}

describe('readEntries', () => {
  it('reads an empty file as an empty session', () => {
    assert.deepEqual(readEntries(new Uint8Array()), {
      entries: [],
      problems: [],
      unreadable: new Map(),
      endsWithLineBreak: true,
      byteLength: 0,
      nextSeq: 0,
    });
  });

  it('reads lines that end in CRLF, and a file with a byte order mark', () => {
    const text = `\uFEFF${line('a', null)}${line('b', 'a')}`.replaceAll('\n', '\r\n');
    assert.deepEqual(read(text), { ids: ['a<null', 'b<a'], problems: [] });
  });

  it('skips a block of zero bytes and reports it', () => {
    const text = `${line('a', null)}${'\0'.repeat(400)}\n${line('b', 'a')}`;
    assert.deepEqual(read(text), { ids: ['a<null', 'b<a'], problems: ['2 corrupt: a block of zero bytes'] });
  });

  it('reads a line after zero bytes', () => {
    const text = `${line('a', null)}${'\0'.repeat(400)}${line('b', 'a')}`;
    assert.deepEqual(read(text), { ids: ['a<null', 'b<a'], problems: ['2 corrupt: a block of zero bytes'] });
  });

  it('skips a corrupt line and continues its children from the entry before', () => {
    const text = `${line('a', null)}{"v":1,"id":"b",\n${line('c', 'b')}`;
    assert.deepEqual(read(text), { ids: ['a<null', 'c<a'], problems: ['2 corrupt: not readable: {"v":1,"id":"b",'] });
  });

  it('skips JSON that is no entry', () => {
    const text = `${line('a', null)}[1]\n"text"\n{"id":"x"}\n${line('c', 'a')}`;
    const { ids, problems } = read(text);
    assert.deepEqual(ids, ['a<null', 'c<a']);
    assert.deepEqual(
      problems.map((problem) => problem.slice(0, 9)),
      ['2 corrupt', '3 corrupt', '4 corrupt'],
    );
  });

  it('breaks cycles of parents', () => {
    assert.deepEqual(read(line('a', 'b') + line('b', 'a') + line('c', 'c')).ids, ['a<null', 'b<a', 'c<b']);
  });

  it('keeps branches, including one from the start', () => {
    assert.deepEqual(read(line('a', null) + line('b', 'a') + line('c', 'a') + line('d', null)), {
      ids: ['a<null', 'b<a', 'c<a', 'd<null'],
      problems: [],
    });
  });

  it('reports an id of two different entries and keeps the first', () => {
    const others = line('a', null, { type: 'title', title: 'other' }) + line('a', null, { type: 'title', title: 'b' });
    assert.deepEqual(read(line('a', null) + line('a', null) + others), {
      ids: ['a<null'],
      problems: ['3 duplicate: the id a was used before', '4 duplicate: the id a was used before'],
    });
    const later = line('b', 'a') + line('b', 'a') + line('b', 'a', { type: 'title', title: 'other' });
    assert.deepEqual(read(line('a', null) + line('a', null) + later), {
      ids: ['a<null', 'b<a'],
      problems: ['5 duplicate: the id b was used before'],
    });
  });

  it('takes lines of a file once that was joined with a copy of itself', () => {
    const numbered = (id: string, parentId: string | null, seq: number, title = id): string =>
      line(id, parentId, { seq, type: 'title', title });
    const [a, b, c] = [numbered('a', null, 0), numbered('b', 'a', 1), numbered('c', 'b', 2)];
    assert.deepEqual(read(a + b + c + b + c + numbered('d', 'c', 3)), {
      ids: ['a<null', 'b<a', 'c<b', 'd<c'],
      problems: [],
    });
    assert.deepEqual(read(a + b + c + numbered('b', 'a', 1, 'other') + numbered('d', 'a', 3)), {
      ids: ['a<null', 'b<a', 'c<b', 'd<a'],
      problems: ['4 duplicate: the id b was used before'],
    });
  });

  it('keeps entries of unknown types, so that their children are not lost', () => {
    const approval = { type: 'approval', decision: 'allow' };
    const { entries, problems } = readEntries(Buffer.from(line('a', null) + line('b', 'a', approval) + line('c', 'b')));
    assert.deepEqual(problems, []);
    assert.deepEqual(entries[1], {
      v: 1,
      id: 'b',
      parentId: 'a',
      seq: 0,
      ts: 0,
      type: 'unknown',
      raw: { v: 1, id: 'b', parentId: 'a', seq: 0, ts: 0, ...approval },
    });
    assert.equal(entries[2]?.parentId, 'b');
  });

  it('reports entries of a newer version and entries with a bad field, and keeps their place', () => {
    const text =
      line('a', null, { v: 2, type: 'title', title: 'x' }) + line('b', 'a', { type: 'title' }) + line('c', 'b');
    const { ids, problems } = read(text);
    assert.deepEqual(ids, ['a<null', 'b<a', 'c<b']);
    assert.deepEqual(problems, [
      '1 newer: written by a newer version (v 2, this one reads v 1)',
      '2 unusable: title: title: expected string, received undefined',
    ]);
  });

  it('reads a last line that only lacks its line break', () => {
    assert.deepEqual(readEntries(Buffer.from(line('a', null).trimEnd())), {
      entries: [{ v: 1, id: 'a', parentId: null, seq: 0, ts: 0, type: 'title', title: 'a' }],
      problems: [],
      unreadable: new Map(),
      endsWithLineBreak: false,
      byteLength: line('a', null).length - 1,
      nextSeq: 1,
    });
  });

  it('loads every complete entry of a file that is cut at any byte', () => {
    const lines = ['a', 'b', 'c'].map((id, index) =>
      line(id, index === 0 ? null : 'a', { type: 'title', title: `Grüße, "${id}" \\ 🙂` }),
    );
    const bytes = Buffer.from(lines.join(''));
    const ends = lines.map((_, index) => Buffer.byteLength(lines.slice(0, index + 1).join('')) - 1);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { entries, problems } = readEntries(bytes.subarray(0, cut));
      const complete = ends.filter((end) => end <= cut).length;
      const isTorn = cut > 0 && bytes[cut - 1] !== 0x0a && !ends.includes(cut);
      assert.equal(entries.length, complete, `cut at ${cut}`);
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        isTorn ? ['torn'] : [],
        `cut at ${cut}`,
      );
    }
  });

  it('reads the same in pieces of any size', async () => {
    const text = `${line('a', null)}${'\0'.repeat(40)}\n\u00e4 no JSON\n${line('b', 'a')}\n${line('b', 'x')}{"torn`;
    for (const size of [1, 2, 7, 64, 1000]) {
      assert.deepEqual(await readEntriesFrom(piecesOf(text, size)()), readEntries(Buffer.from(text)), String(size));
    }
  });

  it('skips a line that is too long, without holding it', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(line('a', null));
      for (let count = 0; count < 300; count += 1) yield piece;
      yield Buffer.from(`\n${line('b', 'a')}`);
    }
    const { entries, problems, unreadable } = await readEntriesFrom(pieces());
    assert.deepEqual(
      entries.map(({ id }) => id),
      ['a', 'b'],
    );
    const message = 'too long to read: 300 MB. It stays in the file';
    assert.deepEqual(problems, [{ line: 2, kind: 'corrupt', message }]);
    assert.equal(unreadable.size, 0);
  });

  it('leaves out a line that nests too deeply, so that what is read can be shown, sent, exported and copied', () => {
    const nested = (depth: number): string => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
    const call = (id: string, parentId: string, depth: number): string =>
      `{"v":1,"id":"${id}","parentId":"${parentId}","seq":0,"ts":0,"type":"assistant_message","responseId":"r","model":"m",` +
      `"content":[{"type":"tool_use","id":"c","name":"n","input":${nested(depth)}}]}\n`;
    const unknown = `{"v":9,"id":"u","parentId":"a","seq":0,"ts":0,"type":"later","x":${nested(100_000)}}\n`;
    const { entries, problems } = readEntries(
      Buffer.from(line('a', null) + call('b', 'a', 200) + call('c', 'b', 2_000) + unknown + line('d', 'c')),
    );
    assert.deepEqual(
      entries.map(({ id, parentId }) => `${id}<${parentId}`),
      ['a<null', 'b<a', 'd<b'],
    );
    assert.deepEqual(
      problems.map(({ line: at, kind, message }) => [at, kind, message]),
      [
        [3, 'corrupt', 'its values are nested too deeply'],
        [4, 'corrupt', 'its values are nested too deeply'],
      ],
    );
    const { messages } = replayMessages(entries);
    assert.equal(estimateMessageTokens(messages) > 0, true);
    assert.equal(exportAsMarkdown(entries).includes('"a"'), true);
    assert.equal(structuredClone(viewFromEntries('s', entries)).items.length, 1);
  });

  it('reports a bounded number of problems, and always a newer line', () => {
    const { problems, unreadable } = readEntries(
      Buffer.from(`${'no JSON\n'.repeat(30_000)}{"v":9,"id":"n","parentId":null,"seq":0,"ts":0,"type":"x"}\n`),
    );
    assert.equal(problems.length, 10_002);
    assert.deepEqual(
      problems.slice(-2).map(({ kind, message }) => [kind, message.slice(0, 24)]),
      [
        ['newer', 'written by a newer versi'],
        ['corrupt', '20000 more lines have a '],
      ],
    );
    assert.equal(unreadable.size, 10_001);
  });
});
