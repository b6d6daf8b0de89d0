import { isDeepStrictEqual } from 'node:util';
import { Client, tool } from '../../../src/sdk';
import { LearnedQuirks } from '../../../src/agent/servers/learnedQuirks';
import { connectModel } from '../../../src/agent/servers/model/modelConnection';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { probeServer } from '../../../src/agent/servers/probe/serverProbe';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import type { LlamaServer } from '../engines/llamaServer';
import { SaidServer, type Reading, type Said, type SaidCall } from './saidServer';

/** What one chat template needs, and what the server's cache keeps with it. */
export interface TemplateRow {
  readonly name: string;
  readonly tools: 'native' | 'text';
  /** What was learned of the template, in a few words each. */
  readonly learned: readonly string[];
  /** Tokens read at tool steps, by those that are new. Absent: the template changes what it wrote before. */
  readonly stepRatio?: number;
  /** Tokens read at the next prompt. Absent: the template changes what it wrote before. */
  readonly nextMessage?: number;
  /** Tokens that are new at the next prompt: its own, and the marks around it. */
  readonly nextMessageNew?: number;
  /** Answers of the session that did not come as they should. */
  readonly problems: readonly string[];
}

const read = (path: string): SaidCall => ({ name: 'read_file', input: { path } });

const script: readonly Said[] = [
  { calls: [read('src/first.ts')] },
  { text: 'I look further.\n', calls: [read('src/second.ts')] },
  { calls: [read('src/third.ts'), read('src/fourth.ts')] },
  { calls: [read('src/fifth.ts')] },
  { text: 'The total is computed in src/second.ts.' },
  { text: 'It is rounded in src/fifth.ts.' },
];

const stepsBeforeAnswer = 5;

/** Runs one session of tool steps and a second prompt with the template that the server was started with. */
export async function measureTemplate(name: string, engine: LlamaServer): Promise<TemplateRow> {
  const left = [...script];
  await using said = await SaidServer.start(engine, () => left.shift() ?? { text: 'Done.' });
  const fetch = createFetch();
  const { signal } = new AbortController();
  const found = await probeServer(said.baseUrl, { fetch, signal });
  if (!found.ok) throw new Error(found.error.message);
  const model = found.models[0]?.id ?? '';
  const quirks = new LearnedQuirks({ now: Date.now });
  const slots = new SlotQueue();
  const server = { baseUrl: said.baseUrl, model, apiKey: undefined, contextWindow: null, yieldsSlots: false };
  const { provider } = connectModel({ ...server, server: found, options: {}, slots, quirks, fetch, warmer: undefined });
  const paths: string[] = [];
  const readFile = tool(
    'read_file',
    'Read a file of the workspace.',
    { path: 'string' },
    ({ path }: { path: string }) => {
      paths.push(path);
      return `1: export const total = '${path}';\n`.repeat(20);
    },
  );
  await using client = new Client({
    systemPrompt: 'You are a coding agent. Read files before you answer.',
    ...{ baseUrl: said.baseUrl, model, provider, tools: [readFile], autoExecuteTools: true },
  });
  const problems: string[] = [];
  for (const prompt of ['Where is the total computed?', 'And where is it rounded?']) {
    const run = client.run(prompt);
    let next = await run.next();
    while (!next.done) next = await run.next();
    if (next.value.error) problems.push(next.value.error.message);
  }
  const wanted = script.flatMap(({ calls = [] }) => calls.map(({ input }) => input['path']));
  if (!isDeepStrictEqual(paths, wanted)) problems.push(`The tool was called for ${paths.join(', ') || 'nothing'}.`);
  const last = said.readings.at(-1);
  return {
    name,
    tools: last?.tools ?? 'native',
    learned: quirks.describe(said.baseUrl, model),
    ...ratios(said.readings),
    problems,
  };
}

function ratios(readings: readonly Reading[]): Pick<TemplateRow, 'stepRatio' | 'nextMessage' | 'nextMessageNew'> {
  // The last request with a rejection before it is the one that counts.
  const steps = readings.slice(-stepsBeforeAnswer, -1);
  const next = readings.at(-1);
  const added = sum(steps.map(({ added: count }) => count ?? NaN));
  return {
    ...(Number.isFinite(added) && { stepRatio: sum(steps.map(({ read: count }) => count)) / added }),
    ...(next?.added !== undefined && { nextMessage: next.read, nextMessageNew: next.added }),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
