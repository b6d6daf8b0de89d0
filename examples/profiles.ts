/**
 * Named ways to use a model, overridden by an agent's definition and by a single call: `npx tsx examples/profiles.ts`.
 */
import { parseProfile, query, resolveProfile, type ProfileOverrides } from '../src/sdk';
import { fail, serverOptions } from './server';

const { baseUrl, model, apiKey } = serverOptions();

/** As it may stand in a settings file; the key is kept elsewhere, with the server it belongs to. */
const precise = parseProfile({
  id: 'precise',
  baseUrl,
  model,
  temperature: 0.2,
  topK: 20,
  maxTokens: 1_000,
  systemPrompt: 'You answer precisely.',
  extraBody: { min_p: 0.05 },
});

const haikuWriter: ProfileOverrides = { systemPrompt: 'You answer with a haiku.', temperature: 0.9 };

async function main(): Promise<void> {
  for (const options of [
    resolveProfile(precise),
    resolveProfile(precise, haikuWriter, { maxTokens: 60, topK: null }),
  ]) {
    console.log(`-- temperature ${options.temperature}, at most ${options.maxTokens} tokens`);
    for await (const { content } of query('What is a lighthouse?', { ...options, apiKey })) {
      for (const block of content) if (block.type === 'text') process.stdout.write(block.text);
    }
    process.stdout.write('\n');
  }
}

main().catch(fail);
