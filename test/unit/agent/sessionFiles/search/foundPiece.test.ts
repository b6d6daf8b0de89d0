import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foundPiece, foundPieceIn } from '../../../../../src/agent/sessionFiles/search/foundPiece';
import { wordsOf } from '../../../../../src/agent/sessionFiles/search/spokenWords';
import type { EntryBody, SessionEntry } from '../../../../../src/sdk/session/entries';
import { entryLine } from '../../../../../src/sdk/session/parseEntry';
import { piecesOf } from '../../../../support/sessions/piecesOf';

function entriesOf(...bodies: readonly EntryBody[]): readonly SessionEntry[] {
  return bodies.map((body, seq) => ({
    v: 1,
    id: `e${seq}`,
    parentId: seq > 0 ? `e${seq - 1}` : null,
    seq,
    ts: 0,
    ...body,
  }));
}

function prompt(text: string): EntryBody {
  return { type: 'user_message', text, contextLabels: [], content: `hidden ${text}`, origin: 'prompt' };
}

function answer(text: string): EntryBody {
  const content = [
    { type: 'thinking' as const, text: 'secretly' },
    { type: 'text' as const, text },
  ];
  return { type: 'assistant_message', content, responseId: 'r', model: 'm' };
}

describe('The piece of a conversation that a search shows', () => {
  const conversation = entriesOf(
    prompt('Fix the PARSER,\n  please.'),
    answer('The parser reads tokens of the lexer.'),
    { type: 'tool_result', toolUseId: 'c', content: 'resulting', isError: false, outcome: 'succeeded' },
    { type: 'assistant_partial', blocks: [{ block: 0, type: 'text', text: 'Half a sen' }] },
    { type: 'assistant_partial', blocks: [{ block: 0, type: 'text', text: 'tence' }] },
  );
  const pieceFor = (query: string) => foundPiece(conversation, wordsOf(query));

  it('is of the newest message that holds most of the words, around the longest of them', () => {
    assert.deepEqual(pieceFor('parser'), { before: 'The ', found: 'parser', after: ' reads tokens of the lexer.' });
    assert.deepEqual(pieceFor('please the'), { before: '…the PARSER, ', found: 'please', after: '.' });
    assert.deepEqual(pieceFor('SENTENCE'), { before: 'Half a ', found: 'sentence', after: '' });
    for (const query of ['secretly', 'resulting', 'hidden', '']) assert.equal(pieceFor(query), undefined, query);
  });

  it('is the same from the bytes of a file', async () => {
    const text = conversation.map((entry) => `${entryLine(entry)}\n`).join('');
    assert.deepEqual(await foundPieceIn(piecesOf(text), ['parser']), pieceFor('parser'));
    assert.equal(await foundPieceIn(piecesOf(''), ['parser']), undefined);
  });

  it('is short and on one line, and begins with a whole word', () => {
    const long = foundPiece(
      entriesOf(prompt(`${'some words before '.repeat(9)}here\n\n${'words after '.repeat(99)}`)),
      ['here'],
    );
    assert.deepEqual(long, {
      before: '…words before ',
      found: 'here',
      after: ` ${'words after '.repeat(10).slice(0, 118).trimEnd()}…`,
    });
  });

  it('holds the word for every text and every word of it, with no half of a character', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'aB \n\t', 'é', 'ß', 'ﬁ', 'İ', '𝒳', '👍', '語', 'x'.repeat(50)),
      maxLength: 90,
    });
    fc.assert(
      fc.property(text, fc.nat(), (written, at) => {
        const words = wordsOf(written);
        const word = words[at % Math.max(1, words.length)];
        if (word === undefined) return;
        const piece = foundPiece(entriesOf(prompt(written)), [word]);
        assert.ok(piece);
        const { before, found, after } = piece;
        assert.ok(found !== '' && before.length <= 18 && after.length <= 122, JSON.stringify(piece));
        assert.ok(!/[\n\t]/.test(before + found + after));
        // A lone half of a surrogate pair cannot be encoded.
        assert.doesNotThrow(() => encodeURIComponent(before + found + after));
      }),
    );
  });
});
