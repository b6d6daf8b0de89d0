/**
 * An approval that outlives the program. The first command runs until a person must decide, and saves the run. The second one, in
 * another process and maybe days later, shows what waits, and goes on with the answer:
 *
 *     npx tsx examples/approveLater.ts ask run.json "Note that the milk is out."
 *     npx tsx examples/approveLater.ts answer run.json allow
 */
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { Client, parseWaitingRun, resultOf, tool, type AgentExecutionResult, type WaitingAnswer } from '../src/sdk';
import { fail, serverOptions } from './server';

const notesFile = 'notes.txt';

/** The plan has the size of the file, so that an answer holds only while nobody else has changed the file. */
const addNote = tool(
  'add_note',
  'Add a line to the notes',
  { line: z.string() },
  {
    prepare: async ({ line }) => {
      const size = await stat(notesFile).then(
        (file) => file.size,
        () => 0,
      );
      return { ok: true, plan: { file: notesFile, size, line } };
    },
    run: ({ file, line }: { file: string; line: string }) => appendFile(file, `${line}\n`).then(() => 'Noted.'),
  },
);

function newClient(): Client {
  return new Client({
    ...serverOptions(),
    systemPrompt: 'You keep the notes.',
    tools: [addNote],
    autoExecuteTools: true,
    // Every call waits for an answer.
    approvalHook: () => ({ action: 'wait' }),
  });
}

async function main([command, file = 'run.json', text = '']: readonly string[]): Promise<void> {
  await using client = newClient();
  if (command === 'ask') {
    await save(file, await resultOf(client.run(text)));
    return;
  }
  const saved = parseWaitingRun(await readFile(file, 'utf8'));
  const answers = saved.calls.map(({ toolUseId, planHash, toolName, plan }): WaitingAnswer => {
    console.log(`${text}: ${toolName} ${JSON.stringify(plan)}`);
    return text === 'allow' ? { action: 'allow', toolUseId, planHash } : { action: 'deny', toolUseId };
  });
  // Deleted first: an answer must not be used twice.
  await rm(file);
  await save(file, await resultOf(client.resumeRun(saved, answers)));
}

async function save(file: string, { waiting, primaryText, error }: AgentExecutionResult): Promise<void> {
  if (error) throw new Error(error.message);
  if (waiting) await writeFile(file, JSON.stringify(waiting), { mode: 0o600 });
  console.log(waiting ? `${waiting.calls.length} to decide, saved in ${file}` : primaryText);
}

main(process.argv.slice(2)).catch(fail);
