import assert from 'node:assert/strict';
import { ThinkTagSplitter } from '../../../../../src/sdk/model/stream/thinkTags';
import { splits } from '../streamFixtures';

function read(chunks: readonly string[], isLiteral = false): { readonly text: string; readonly thinking: string } {
  let text = '';
  let thinking = '';
  const splitter = new ThinkTagSplitter({
    text: (piece) => (text += piece),
    thinking: (piece) => (thinking += piece),
    thinkingEnd: () => {},
    orphanEnd: () => {
      thinking += text;
      text = '';
    },
    hasThoughtElsewhere: () => false,
    isLiteral: () => isLiteral,
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { text, thinking };
}

describe('ThinkTagSplitter', () => {
  for (const [name, answer, expected] of [
    ['splits at tags at the beginning', '<think>\nHm</think>\n\nHi', { thinking: 'Hm', text: 'Hi' }],
    ['knows the tags of Mistral', '[THINK]Hm[/THINK]Hi', { thinking: 'Hm', text: 'Hi' }],
    ['knows the tags of Command', '<|START_THINKING|>Hm<|END_THINKING|>Hi', { thinking: 'Hm', text: 'Hi' }],
    ['knows the tags of Seed-OSS', '<seed:think>\nHm</seed:think>\nHi', { thinking: 'Hm', text: 'Hi' }],
    ['knows the tags of MiniMax M3', '<mm:think>Hm</mm:think>Hi', { thinking: 'Hm', text: 'Hi' }],
    ['knows the tags of Hy3', '<think:opensource>Hm</think:opensource>Hi', { thinking: 'Hm', text: 'Hi' }],
    ['takes a closing tag of MiniMax M3 that begins an answer', '</mm:think>Hi', { thinking: '', text: 'Hi' }],
    ['makes text before a lone closing tag thinking', 'Hm\n</think>\nHi', { thinking: 'Hm\n', text: 'Hi' }],
    ['keeps tags in prose', 'Use <think>x</think> here.', { thinking: '', text: 'Use <think>x</think> here.' }],
    ['keeps tags in code', '```\n</think>\n```', { thinking: '', text: '```\n</think>\n```' }],
    ['keeps a thought without an end', '<think>Hm', { thinking: 'Hm', text: '' }],
  ] as const) {
    it(`${name}, however it is split`, () => {
      for (const chunks of splits(answer)) assert.deepEqual(read(chunks), expected);
    });
  }

  it('keeps a closing tag inside a call', () => {
    assert.deepEqual(read(['Hm\n</think>\nHi'], true), { text: 'Hm\n</think>\nHi', thinking: '' });
  });
});
