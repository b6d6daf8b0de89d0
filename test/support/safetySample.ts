import * as z from 'zod';
import cases from '../fixtures/cases/safety-cases.json';

/** One sample of `fixtures/cases/safety-cases.json`, with the file's words for the expected behaviour and its reason. */
export interface SafetySample<Input> {
  readonly id: string;
  readonly group: string;
  readonly input: Input;
  readonly expected: string;
  readonly note: string;
}

/**
 * The sample that a test proves, for its input. A call with a literal id claims the sample: `safetySample.test.ts` fails
 * if no test claims a sample. The default shape is a text.
 */
export function safetySample(id: string): SafetySample<string>;
export function safetySample<Input>(id: string, shape: z.ZodType<Input>): SafetySample<Input>;
export function safetySample(id: string, shape: z.ZodType = z.string()): SafetySample<unknown> {
  const found = cases.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`There is no safety sample ${id}.`);
  return { ...found, input: shape.parse(found.input) };
}

/** The samples of a group whose input is a text, for a table of tests. Claims all of them. */
export function textSamples(group: string): readonly SafetySample<string>[] {
  return cases.flatMap((sample) =>
    sample.group === group && typeof sample.input === 'string' ? [{ ...sample, input: sample.input }] : [],
  );
}

/** The name of a test that proves samples described in words. Claims them, and shows their ids in the report. */
export function proving(ids: string, behaviour: string): string {
  for (const id of ids.split(' ')) safetySample(id, z.unknown());
  return `${behaviour} (${ids})`;
}

/** Every id of the file, in order. */
export const safetySampleIds: readonly string[] = cases.map(({ id }) => id);
