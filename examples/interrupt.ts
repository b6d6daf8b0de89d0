/**
 * An answer that is long enough is stopped, and the conversation goes on: `npx tsx examples/interrupt.ts`.
 * `interrupt` may be called from anywhere, here from the loop that reads the answer.
 */
import { Client } from '../src/sdk';
import { fail, serverOptions } from './server';

const enough = 200;

async function main(): Promise<void> {
  await using client = new Client({ ...serverOptions(), systemPrompt: 'You tell long stories.' });
  await client.query('Tell me a story about a lighthouse.');
  let length = 0;
  for await (const block of client.receiveMessages()) {
    if (block.type !== 'text') continue;
    process.stdout.write(block.text);
    length += block.text.length;
    if (length >= enough) await client.interrupt();
  }
  console.log('\n-- enough');

  // What was said so far is in the history, so the model knows where it was.
  await client.query('Give me the end in one sentence.');
  for await (const block of client.receiveMessages()) if (block.type === 'text') process.stdout.write(block.text);
  console.log(`\n-- ${client.history.length} messages`);
}

main().catch(fail);
