import * as z from 'zod';
import cases from '../fixtures/cases/safety-cases.json';

/** One of the samples of `fixtures/cases/safety-cases.json`; the file's own words for what must hold and why. */
export interface SafetySample<Input> {
  readonly id: string;
  readonly group: string;
  readonly input: Input;
  readonly expected: string;
  readonly note: string;
}

/**
 * The sample that a test proves, for its input. Asking for it by a literal id claims it: `safetySample.test.ts` fails
 * while a sample is claimed by no test. The default shape is a text.
 */
export function safetySample(id: string): SafetySample<string>;
export function safetySample<Input>(id: string, shape: z.ZodType<Input>): SafetySample<Input>;
export function safetySample(id: string, shape: z.ZodType = z.string()): SafetySample<unknown> {
  const found = cases.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`There is no safety sample ${id}.`);
  return { ...found, input: shape.parse(found.input) };
}

/** The samples of a group whose input is a text, to be run from a table. Claims all of them. */
export function textSamples(group: string): readonly SafetySample<string>[] {
  return cases.flatMap((sample) =>
    sample.group === group && typeof sample.input === 'string' ? [{ ...sample, input: sample.input }] : [],
  );
}

/** The name of a test that proves samples whose input is a situation in words: claims them, and says so in the report. */
export function proving(ids: string, behaviour: string): string {
  for (const id of ids.split(' ')) safetySample(id, z.unknown());
  return `${behaviour} (${ids})`;
}

/** Every id of the file, in its order. */
export const safetySampleIds: readonly string[] = cases.map(({ id }) => id);
