import assert from 'node:assert/strict';
import { chooseAgent } from '../../../../src/agent/configuration/chooseAgent';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { inManner, mannerOf } from '../../../../src/agent/exam/examManner';
import { betterManner, mannersToTry } from '../../../../src/agent/exam/tryOtherManners';
import type { ExamTrial, TaskResult } from '../../../../src/agent/exam/results/examResult';
import { quantisationOf } from '../../../../src/agent/exam/results/quantisation';

const task = (id: string, more: Partial<TaskResult>): TaskResult => ({
  ...{
    id,
    verdict: 'failed',
    steps: 1,
    calls: 1,
    wrongCalls: {},
    tokensRead: 1,
    tokensWritten: 1,
    context: 1,
    seconds: 1,
  },
  ...{ thought: false },
  ...more,
});
const usual = { temperature: null, toolCalls: 'native', thinking: null } as const;
const trial = (more: Partial<ExamTrial>): ExamTrial => ({
  ...{ manner: usual, tasks: 4, solvedBefore: 1, solved: 1, tokensBefore: 1000, tokens: 1000 },
  ...more,
});

describe('other manners of an exam', () => {
  it('are tried only where they may help', () => {
    const tries = (tasks: readonly TaskResult[], now = usual as Parameters<typeof mannersToTry>[1]) =>
      mannersToTry({ tasks }, now).map(({ manner, tasks: again }) => [manner, again.map(({ id }) => id).join()]);
    const prose = ['a', 'b'].map((id) => task(id, { wrongCalls: { prose: 1 } }));
    const missed = ['a', 'b', 'c', 'd', 'e'].map((id) => task(id, { wrongCalls: { edit: 2 } }));
    const thinking = [task('a', { verdict: 'solved', thought: true })];
    assert.deepEqual(tries([]), []);
    assert.deepEqual(tries(prose), [[{ ...usual, toolCalls: 'text' }, 'a,b']]);
    assert.deepEqual(tries(prose, { ...usual, toolCalls: 'text' }), []);
    assert.deepEqual(tries(missed), [[{ ...usual, temperature: 0.2 }, 'a,b,c,d']]);
    assert.deepEqual(tries(missed, { ...usual, temperature: 0.1 }), []);
    assert.deepEqual(tries(thinking), [[{ ...usual, thinking: false }, 'a']]);
    assert.deepEqual(tries(thinking, { ...usual, thinking: false }), []);
  });

  it('are better if they solve more, or as much with half of the writing', () => {
    assert.equal(betterManner({ trials: [] }), undefined);
    assert.equal(betterManner({ trials: [trial({}), trial({ solved: 0, tokens: 1 })] }), undefined);
    assert.equal(betterManner({ trials: [trial({ tokens: 499 })] })?.tokens, 499);
    assert.equal(betterManner({ trials: [trial({ solvedBefore: 0, solved: 0, tokens: 1 })] }), undefined);
    const best = trial({ solved: 4 });
    assert.equal(betterManner({ trials: [trial({ solved: 2 }), best, trial({ tokens: 1 })] }), best);
  });

  it('are a part of the configuration', () => {
    const { configuration } = chooseAgent({ ...defaultAgentSettings, baseUrl: 'http://gpu/v1', model: 'm' });
    const manner = { temperature: 0.2, toolCalls: 'text', thinking: false } as const;
    assert.deepEqual(mannerOf(configuration), usual);
    assert.deepEqual(mannerOf(inManner(configuration, manner)), manner);
  });
});

describe('the quantisation in the name of a model', () => {
  const names: readonly (readonly [string, string | undefined])[] = [
    ['qwen3-4b-Q4_K_M.gguf', 'Q4_K_M'],
    ['/models/llama-3.1-8b-instruct-iq2_xxs.gguf', 'IQ2_XXS'],
    ['qwen3:8b-q8_0', 'Q8_0'],
    ['gpt-oss-20b-mxfp4', 'MXFP4'],
    ['Qwen/Qwen3-8B-AWQ', 'AWQ'],
    ['mlx-community/Qwen3-4B-4bit', '4BIT'],
    ['gemma-3-4b-BF16', 'BF16'],
    ['qwen3-8b', undefined],
    ['faq4you', undefined],
  ];
  for (const [name, found] of names) {
    it(`of ${name} is ${found ?? 'not known'}`, () => assert.equal(quantisationOf(name), found));
  }
});
