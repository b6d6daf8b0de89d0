/**
 * A conversation that outlives the program: `npx tsx examples/sessionPersistence.ts notes.jsonl "What did I ask you before?"`.
 * The file has one line for each thing that happened. Start it again with the same file, and it goes on.
 */
import { Client, openSession } from '../src/sdk';
import { fail, serverOptions } from './server';

async function main(file: string, prompt: string): Promise<void> {
  await using session = await openSession(file);
  for (const { line, message } of session.problems) console.log(`-- line ${line} was passed over: ${message}`);

  const { history } = session;
  console.log(history.length === 0 ? '-- a new conversation' : `-- goes on after ${history.length} messages`);
  if (session.isUnfinished) console.log('-- the last answer was cut off');

  await using client = new Client({ ...serverOptions(), systemPrompt: 'Be brief.', history });
  // As `client.run`; each event comes when what it adds is in the file.
  for await (const event of session.run(client, prompt)) {
    if (event.type === 'text_delta') process.stdout.write(event.text);
    if (event.type === 'run_end' && event.error) throw new Error(event.error.message);
  }
  console.log(`\n-- ${session.entries.length} lines in ${file}`);
}

main(process.argv[2] ?? 'session.jsonl', process.argv[3] ?? 'What did I ask you before?').catch(fail);
