/**
 * A conversation that outgrows its model's window: `npx tsx examples/context.ts 8192`, with the size in tokens that the
 * model was loaded with. When three quarters are full, the model summarises the older part and goes on.
 */
import { Client, truncateMessages } from '../src/sdk';
import { fail, serverOptions } from './server';

const topics = ['lighthouses', 'harbours', 'tides', 'knots', 'sails', 'maps'];

async function main(contextWindow: number): Promise<void> {
  const systemPrompt = 'You explain things at length.';
  await using client = new Client({ ...serverOptions(), systemPrompt, compaction: { contextWindow } });
  for (const topic of topics) {
    for await (const event of client.run(`Tell me all about ${topic}.`)) {
      if (event.type === 'compaction') console.log(`-- ${event.tokensBefore} -> ${event.tokensAfter} tokens`);
    }
    const { tokens, isEstimate } = client.contextTokens;
    console.log(`${topic}: ${client.history.length} messages, ${isEstimate ? 'about ' : ''}${tokens} tokens`);
  }

  // Without a model, and without a summary: the newest messages that fit, calls with their results.
  const newest = truncateMessages(client.history, { maxTokens: 500 });
  console.log(`The newest ${newest.length} of ${client.history.length} messages fit into 500 tokens.`);
}

main(Number(process.argv[2] ?? 8192)).catch(fail);
