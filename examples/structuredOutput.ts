/**
 * An answer as a value instead of text: `npx tsx examples/structuredOutput.ts "Ada Lovelace, born 1815 in London"`.
 * An answer that does not match is sent back to the model with what is wrong, twice at most.
 */
import * as z from 'zod';
import { Client, resultOf } from '../src/sdk';
import { fail, serverOptions } from './server';

const Person = z.object({ name: z.string(), birthYear: z.int(), city: z.string().optional() });

async function main(text: string): Promise<void> {
  const systemPrompt = 'You find the person a text is about.';
  await using client = new Client({ ...serverOptions(), systemPrompt, outputSchema: Person, temperature: 0 });
  const { structuredOutput, error } = await resultOf(client.run(text), (event) => {
    if (event.type === 'user_message') console.log(`> ${event.text}`);
  });
  if (!structuredOutput) throw new Error(error?.message ?? 'The run was interrupted.');
  const { name, birthYear, city } = structuredOutput;
  console.log(`${name} was born in ${birthYear}${city === undefined ? '' : ` in ${city}`}.`);
}

main(process.argv[2] ?? 'Ada Lovelace, born 1815 in London, wrote the first program.').catch(fail);
