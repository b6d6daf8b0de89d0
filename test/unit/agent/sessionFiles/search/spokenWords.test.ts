import assert from 'node:assert/strict';
import { holdsAll, SpokenWords, spokenIn, wordsOf } from '../../../../../src/agent/sessionFiles/search/spokenWords';
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
  return { type: 'user_message', text, contextLabels: ['label'], content: `hidden ${text}`, origin: 'prompt' };
}

function answer(...content: Extract<EntryBody, { type: 'assistant_message' }>['content']): EntryBody {
  return { type: 'assistant_message', content, responseId: 'r', model: 'm' };
}

const conversation = entriesOf(
  { type: 'title', title: 'titled' },
  prompt('Fix the PARSER,\nplease. Fix it'),
  answer({ type: 'thinking', text: 'secretly' }, { type: 'text', text: 'I look at the lexer' }),
  { type: 'tool_call', toolUseId: 'c', toolName: 'read', input: { path: 'tooled' } },
  { type: 'tool_result', toolUseId: 'c', content: 'resulting', isError: false, outcome: 'succeeded' },
  { type: 'assistant_partial', blocks: [{ block: 0, type: 'text', text: 'Half a sen' }] },
  { type: 'assistant_partial', blocks: [{ block: 0, type: 'text', text: 'tence' }] },
);

describe('SpokenWords', () => {
  it('has each word of prompts and answers once, the beginning of a lost answer included, and nothing else', () => {
    assert.equal(
      new SpokenWords().follow(conversation).text,
      'fix the parser, please. it i look at lexer half a sentence',
    );
  });

  it('takes what comes later, and a whole answer in the place of its pieces', () => {
    const words = new SpokenWords().follow(conversation);
    const longer = [...conversation, ...entriesOf(answer({ type: 'text', text: 'Whole' }))];
    assert.equal(words.follow(longer).text, 'fix the parser, please. it i look at lexer whole');
    assert.equal(words.follow(longer).text, words.text);
  });

  it('keeps what was left of an answer when the person goes on', () => {
    const words = new SpokenWords().follow([...conversation, ...entriesOf(prompt('Go on'))]);
    assert.equal(words.text, 'fix the parser, please. it i look at lexer half a sentence go on');
  });

  it('is bounded', () => {
    const different = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');
    const { text } = new SpokenWords().follow(entriesOf(prompt(`first ${'x'.repeat(100_000)} ${different}`)));
    assert.ok(text.length < 60_000, String(text.length));
    assert.equal(text.startsWith('first xxx'), true);
  });

  it('is the same from the bytes of a file, damaged or not', async () => {
    const text = conversation.map((entry) => `${entryLine(entry)}\n`).join('');
    assert.equal(await spokenIn(piecesOf(text)), new SpokenWords().follow(conversation).text);
    assert.equal(await spokenIn(piecesOf(`{"type":"user_message","v\n${text}{"v":1,`)), await spokenIn(piecesOf(text)));
    assert.equal(await spokenIn(piecesOf(text.replaceAll('"type":', '"type" :'))), await spokenIn(piecesOf(text)));
    assert.equal(await spokenIn(piecesOf('')), '');
  });
});

describe('Searching by words', () => {
  it('wants every word somewhere, whatever its case, its width or how its accents are made', () => {
    const texts = ['der größe parser', 'ﬁle cafe\u0301'.normalize('NFKC')];
    for (const query of ['PARSER', 'pars größe', 'GRÖSSE'.replace('SS', 'ß'), 'gro\u0308ße', 'file', 'ＣＡＦÉ', '']) {
      assert.equal(holdsAll(wordsOf(query), texts), true, query);
    }
    for (const query of ['parser lexer', 'nothing']) assert.equal(holdsAll(wordsOf(query), texts), false, query);
  });
});
