import assert from 'node:assert/strict';
import type { Client } from '../../../src/sdk/client';
import type { PreToolUseDecision } from '../../../src/sdk/hooks';
import type { AgentEvent } from '../../../src/sdk/events';
import type { CommandRunner, Diagnostics, Problem, TextSearch } from '../../../src/workspace/ports';
import { contentToText } from '../../../src/sdk/tool';
import { createTools } from '../../../src/workspace/tools/createTools';
import { MemoryFileSystem } from '../files/memoryFileSystem';
import { response, textResponse, toolUse } from '../servers/scriptedProvider';
import { record, scriptedClient } from '../sessions/clients';

const unused = (): never => assert.fail('not used here');
const commandRunner: CommandRunner = { shellName: 'bash', run: unused };
const textSearch: TextSearch = { search: unused };

/** Waits for reports, and ends a wait only when nothing else goes on. Counts the rounds in which waits end together. */
class CountedWaits {
  rounds = 0;
  readonly log: string[];
  #waiting: (() => void)[] = [];

  constructor(log: string[]) {
    this.log = log;
  }

  async wait(what: string): Promise<void> {
    this.log.push(what);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) void this.#endRound();
    });
  }

  async #endRound(): Promise<void> {
    // So many turns of the event loop are more than the work between two waits takes.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    this.rounds += 1;
    for (const end of this.#waiting.splice(0)) end();
  }
}

const problem = (file: string): Problem => ({ line: 1, severity: 'error', message: `Bad ${file}.` });

export interface Edit {
  readonly file: string;
  readonly from?: string;
  readonly to?: string;
}

/** What is at hand while a run goes on. */
export interface Running {
  readonly client: Client;
  readonly fileSystem: MemoryFileSystem;
}

interface Options {
  readonly decide?: (file: string, log: readonly string[]) => PreToolUseDecision | Promise<PreToolUseDecision>;
  /** Files that cannot be written. */
  readonly breaksWriting?: readonly string[];
  readonly onEvent?: (event: AgentEvent, running: Running) => void | Promise<void>;
}

/** Lets a model make edits in one step, in the given order. */
export async function makeEdits(
  edits: readonly Edit[],
  { decide = () => ({ action: 'allow' }), breaksWriting = [], onEvent = () => {} }: Options = {},
) {
  const log: string[] = [];
  const waits = new CountedWaits(log);
  const files = [...new Set(edits.map(({ file }) => file))];
  const fileSystem = new (class extends MemoryFileSystem {
    override async writeText(file: string, text: string, expected: string | null): Promise<void> {
      log.push(`write ${file.slice(3)}`);
      if (breaksWriting.includes(file.slice(3))) throw new Error('The disk is full.');
      await super.writeText(file, text, expected);
    }
  })(Object.fromEntries(files.map((file) => [`/w/${file}`, 'old\n'])));
  const diagnostics: Diagnostics = {
    read: unused,
    known: () => new Map(),
    load: (file) => waits.wait(`load ${file.slice(3)}`),
    watch: async (file) => ({
      before: [],
      async after() {
        await waits.wait(`check ${file.slice(3)}`);
        return [problem(file.slice(3))];
      },
      dispose: () => {},
    }),
  };
  const tools = createTools({
    ports: { fileSystem, commandRunner, textSearch, diagnostics },
    roots: () => [{ name: 'w', path: '/w' }],
  });
  const calls = edits.map(({ file, from = 'old', to = 'new' }, index) =>
    toolUse(`c${index}`, 'apply_edit', { path: file, edits: [{ old_text: from, new_text: to }] }),
  );
  const { client } = scriptedClient([response(calls), textResponse('ok')], {
    tools,
    approvalHook: ({ input }) => decide(textOf(input['path']), log),
  });
  const { events } = await record(client.run('go'), (event) => onEvent(event, { client, fileSystem }));
  return { log, rounds: waits.rounds, fileSystem, results: resultsOf(events) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : assert.fail('not a text');
}

function resultsOf(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'tool_execution_end'
      ? [`${event.toolUseId} ${event.outcome}: ${contentToText(event.result.content)}`]
      : [],
  );
}

/** The text of a result of an edit that succeeded. */
export const edited = (index: number, file: string): string =>
  `c${index} succeeded: Edited ${file} (+1 -1 lines). New problems since this edit:\nline 1: error: Bad ${file}.`;
