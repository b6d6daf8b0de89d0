/**
 * The caller runs the tools: `npx tsx examples/calculatorManual.ts "What is 25 + 17?"`.
 * For programs that log each call, ask somebody, or answer it without a tool.
 */
import { Client } from '../src/sdk';
import { calculatorOptions } from './calculator';

async function main(prompt: string): Promise<void> {
  const options = calculatorOptions();
  const tools = new Map(options.tools?.map((tool) => [tool.name, tool]));
  await using client = new Client(options);
  await client.query(prompt);

  do {
    for await (const block of client.receiveMessages()) {
      if (block.type === 'text') process.stdout.write(block.text);
      if (block.type !== 'tool_use') continue;
      try {
        await client.addToolResult(block.id, (await tools.get(block.name)?.execute(block.input)) ?? 'No such tool.');
      } catch (error) {
        await client.addToolResult(block.id, String(error), { isError: true });
      }
    }
    // With a tool's result at its end, the conversation waits for the model.
  } while (client.history.at(-1)?.role === 'tool');
  process.stdout.write('\n');
}

main(process.argv[2] ?? 'What is 25 + 17?').catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
