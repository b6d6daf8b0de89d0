/**
 * Hooks have a say in what happens: `npx tsx examples/hooks.ts "Delete notes.txt and tell me what is left."`.
 * One writes every call down, one keeps calls within a folder, one denies what is dangerous, one adds to the prompt.
 */
import { Client, tool, type Hooks } from '../src/sdk';
import { fail, serverOptions } from './server';

const files = new Map([
  ['work/notes.txt', 'Buy milk.'],
  ['work/plan.txt', 'Ship it.'],
]);

const list = tool('list_files', 'List the files', {}, () => [...files.keys()]);
const read = tool('read_file', 'Read a file', { path: 'string' }, ({ path }) => {
  const text = files.get(path);
  if (text === undefined) throw new Error(`There is no ${path}. The files are: ${[...files.keys()].join(', ')}.`);
  return text;
});
const remove = tool('delete_file', 'Delete a file', { path: 'string' }, ({ path }) => `${files.delete(path)}`);

const hooks: Hooks = {
  UserPromptSubmit: [({ prompt }) => ({ action: 'modifyPrompt', prompt: `${prompt}\n\nAnswer in one sentence.` })],
  PreToolUse: [
    ({ toolName, input }) => console.log(`-> ${toolName} ${JSON.stringify(input)}`),
    // The changed arguments are validated again, and the next hook sees them.
    ({ input }) => {
      const { path } = input;
      if (typeof path !== 'string' || path.startsWith('work/')) return undefined;
      return { action: 'modify', input: { ...input, path: `work/${path}` } };
    },
    ({ toolName }) =>
      toolName === 'delete_file' ? { action: 'deny', reason: 'Nothing is deleted in this example.' } : undefined,
  ],
  PostToolUse: [({ outcome, result }) => console.log(`<- ${outcome}: ${JSON.stringify(result.content)}`)],
};

async function main(prompt: string): Promise<void> {
  const systemPrompt = 'You look after a few files. Use the tools.';
  const options = { ...serverOptions(), systemPrompt, tools: [list, read, remove], hooks, autoExecuteTools: true };
  await using client = new Client(options);
  await client.query(prompt);
  for await (const block of client.receiveMessages()) if (block.type === 'text') process.stdout.write(block.text);
  process.stdout.write('\n');
}

main(process.argv[2] ?? 'Read notes.txt, then delete it.').catch(fail);
