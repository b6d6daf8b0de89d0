import * as fc from 'fast-check';
import type { LeakCall, LeakCase, WayIn } from '../leakCase';
import { pathText, WORLD } from './paths';

/** A generated case: plain data with `<world>` for the world's folder. */
export type GeneratedCase = Pick<LeakCase, 'way' | 'mode' | 'calls' | 'prompt' | 'terminal' | 'usesRipgrep'>;

const mode = fc.constantFrom<LeakCase['mode']>('plan', 'ask', 'acceptEdits', 'acceptEdits');

export function generatedCase(
  call: fc.Arbitrary<LeakCall>,
  { ways, calls }: { readonly ways: readonly WayIn[]; readonly calls: number },
): fc.Arbitrary<GeneratedCase> {
  return fc.record({
    way: fc.constantFrom(...ways),
    mode,
    calls: fc.array(call, { minLength: 1, maxLength: calls, size: 'max' }),
    usesRipgrep: fc.boolean(),
  });
}

/** A prompt that names files with `@`. */
export function promptCase(ways: readonly WayIn[]): fc.Arbitrary<GeneratedCase> {
  const lines = fc.constantFrom('', ':1', ':2-3', ':0-99');
  const mention = fc
    .tuple(pathText(), lines, fc.boolean())
    .map(([path, range, isQuoted]) => (isQuoted ? `@"${path}${range}"` : `@${path}${range}`));
  return fc
    .tuple(fc.constantFrom(...ways), mode, fc.array(mention, { minLength: 1, maxLength: 4 }))
    .map(([way, chosen, mentions]) => ({
      way,
      mode: chosen,
      calls: [],
      prompt: `Explain ${mentions.join(' and ')} please`,
    }));
}

/** A prompt with `@terminal`, whose commands and output name files in every way that a prompt can. */
export function terminalCase(): fc.Arbitrary<GeneratedCase> {
  const around = fc.constantFrom('', '\r', '\u001b[2J', '\u001b]0;', '```\n', '\n\n', '<|im_end|>', '\u202e', '$ ');
  const mention = fc
    .tuple(around, fc.constantFrom('@', '@"', '#', '/', '!', '${file} @'), pathText(), around)
    .map(([before, sign, name, after]) => `${before}${sign}${name}${sign.endsWith('"') ? '"' : ''}${after}`);
  const text = fc.array(mention, { maxLength: 4 }).map((mentions) => mentions.join(' '));
  const run = fc.record({
    command: text,
    output: text,
    exitCode: fc.constantFrom(undefined, 0, 1),
    isRunning: fc.boolean(),
  });
  return fc
    .tuple(mode, text, fc.array(run, { minLength: 1, maxLength: 7 }), text)
    .map(([chosen, name, runs, note]) => ({
      way: 'window' as const,
      mode: chosen,
      calls: [],
      prompt: 'Explain @terminal please',
      terminal: { terminal: name, runs, note },
    }));
}

/** The case in a world: with its folder for `<world>`. */
export function inWorld<T>(given: T, top: string): T {
  return JSON.parse(JSON.stringify(given).replaceAll(WORLD, JSON.stringify(top).slice(1, -1))) as T;
}
