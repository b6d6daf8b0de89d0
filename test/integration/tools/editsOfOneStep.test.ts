import assert from 'node:assert/strict';
import type { HookDecision } from '../../../src/sdk/hooks';
import type { AgentEvent } from '../../../src/sdk/events';
import type { CommandRunner, Diagnostics, Problem, TextSearch } from '../../../src/workspace/ports';
import { contentToText } from '../../../src/sdk/tool';
import { createTools } from '../../../src/workspace/tools/createTools';
import { MemoryFileSystem } from '../../support/files/memoryFileSystem';
import { response, textResponse, toolUse } from '../../support/servers/scriptedProvider';
import { record, scriptedClient } from '../../support/sessions/clients';

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

interface Edit {
  readonly file: string;
  readonly from?: string;
  readonly to?: string;
}

/** Lets a model make edits in one step, in the given order. */
async function makeEdits(
  edits: readonly Edit[],
  {
    decide = () => ({ action: 'allow' }),
  }: { decide?: (file: string, log: readonly string[]) => HookDecision | Promise<HookDecision> } = {},
) {
  const log: string[] = [];
  const waits = new CountedWaits(log);
  const files = [...new Set(edits.map(({ file }) => file))];
  const fileSystem = new (class extends MemoryFileSystem {
    override async writeText(file: string, text: string, expected: string | null): Promise<void> {
      log.push(`write ${file.slice(3)}`);
      await super.writeText(file, text, expected);
    }
  })(Object.fromEntries(files.map((file) => [`/w/${file}`, 'old\n'])));
  const diagnostics: Diagnostics = {
    async read(file) {
      await waits.wait(`load ${file.slice(3)}`);
      return [];
    },
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
  const { events } = await record(client.run('go'));
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

const edited = (index: number, file: string): string =>
  `c${index} succeeded: Edited ${file} (+1 -1 lines). New problems since this edit:\nline 1: error: Bad ${file}.`;

describe('Accepted edits of one step', () => {
  const files = Array.from({ length: 10 }, (_, index) => `${index}.ts`);

  it('wait once for the checks before, and once for the checks after all of them are written', async () => {
    const { log, rounds, results } = await makeEdits(files.map((file) => ({ file })));
    assert.deepEqual(log, [
      ...files.map((file) => `load ${file}`),
      ...files.map((file) => `write ${file}`),
      ...files.map((file) => `check ${file}`),
    ]);
    assert.equal(rounds, 2);
    assert.deepEqual(
      results,
      files.map((file, index) => edited(index, file)),
    );
  });

  it('keep their order in one file', async () => {
    const { results, fileSystem, log } = await makeEdits([
      { file: 'a', to: 'first' },
      { file: 'a', from: 'first', to: 'second' },
      { file: 'a', from: 'second', to: 'third' },
    ]);
    assert.equal(fileSystem.textOf('/w/a'), 'third\n');
    assert.deepEqual(
      log.filter((entry) => entry.startsWith('write')),
      ['write a', 'write a', 'write a'],
    );
    assert.deepEqual(
      results.map((result) => result.slice(0, 12)),
      ['c0 succeeded', 'c1 succeeded', 'c2 succeeded'],
    );
  });

  it('fail alone', async () => {
    const { results, fileSystem } = await makeEdits(
      ['a', 'b', 'c', 'd'].map((file) => ({ file, ...(file === 'c' && { from: 'nowhere at all' }) })),
      { decide: (file) => (file === 'b' ? { action: 'deny', reason: 'no' } : { action: 'allow' }) },
    );
    assert.deepEqual(
      results.map((result) => result.split(':')[0]),
      ['c0 succeeded', 'c1 denied', 'c2 failed', 'c3 succeeded'],
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((file) => fileSystem.textOf(`/w/${file}`)),
      ['new\n', 'old\n', 'old\n', 'new\n'],
    );
  });

  it('tell their results while a person still decides about another one', async () => {
    const { log, results } = await makeEdits([{ file: 'a' }, { file: 'b' }], {
      decide: (file, seen) =>
        file === 'a'
          ? { action: 'allow' }
          : new Promise((resolve) => {
              // The person decides when the first edit is being checked.
              const look = (): void => {
                if (seen.includes('check a')) resolve({ action: 'allow' });
                else setImmediate(look);
              };
              look();
            }),
    });
    assert.deepEqual(log, ['load a', 'write a', 'check a', 'load b', 'write b', 'check b']);
    assert.deepEqual(results, [edited(0, 'a'), edited(1, 'b')]);
  });
});
