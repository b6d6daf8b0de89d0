/**
 * The client runs the tools itself: `npx tsx examples/calculatorAutomatic.ts "What is (25 + 17) * 3?"`.
 * For agents that need no say in each call; a PreToolUse hook can still refuse one.
 */
import { Client } from '../src/sdk';
import { calculatorOptions } from './calculator';

async function main(prompt: string): Promise<void> {
  await using client = new Client({ ...calculatorOptions(), autoExecuteTools: true, maxToolIterations: 10 });
  await client.query(prompt);
  for await (const block of client.receiveMessages()) {
    if (block.type === 'text') process.stdout.write(block.text);
    if (block.type === 'tool_use') console.log(`-> ${block.name} ${JSON.stringify(block.input)}`);
    if (block.type === 'tool_use_error') console.log(`!  ${block.error}`);
    if (block.type === 'tool_result') console.log(`<- ${JSON.stringify(block.content)}`);
  }
  process.stdout.write('\n');
}

main(process.argv[2] ?? 'What is (25 + 17) * 3?').catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
