import { textOfContent } from '../../../../src/sdk/images/imagePart';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Client } from '../../../../src/sdk/client';
import type { AssistantBlock, Message, ToolUseError } from '../../../../src/sdk/messages';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../../src/sdk/model/modelProvider';
import { noQuirks, type ServerQuirks } from '../../../../src/sdk/model/wire/serverQuirks';
import { toWireRequest } from '../../../../src/sdk/model/wire/wireRequest';
import { tool } from '../../../../src/sdk/tool';
import { requestProblem, type TemplateFeatures } from '../../../support/servers/strictTemplate';
import { response, scriptedModel, toolUse } from '../../../support/servers/scriptedProvider';

/** What the model does when it is asked. */
const answers = [
  'text',
  'nothing',
  'thought',
  'call',
  'calls',
  'denied',
  'unknown',
  'unreadable',
  'mixed',
  'failure',
  'cut',
  'length',
  'overflow',
  'hang',
] as const;
type Answer = (typeof answers)[number];

/** What a person does. `damage` reopens the history as an old version could have left it. */
const operations = fc.oneof(
  fc.record({
    do: fc.constantFrom('run', 'continue', 'receive'),
    answers: fc.array(fc.constantFrom(...answers), { maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('steer'), answers: fc.array(fc.constantFrom(...answers), { maxLength: 3 }) }),
  fc.record({ do: fc.constantFrom('reopen', 'reopenManual') }),
  fc.record({ do: fc.constant('damage'), at: fc.nat(), how: fc.constantFrom('drop', 'twice', 'cutOff') }),
);

const servers: readonly (readonly [string, Partial<ServerQuirks>, TemplateFeatures])[] = [
  ['everything', {}, {}],
  ['no tools', { tools: 'text' }, { hasTools: false }],
  ['no system role', { systemPrompt: 'user' }, { hasSystemRole: false }],
  ['neither', { tools: 'text', systemPrompt: 'user' }, { hasTools: false, hasSystemRole: false }],
];

const tools = [
  tool('read', 'Read', { path: 'string' }, ({ path }) => `of ${path}`),
  tool('write', 'Write', {}, () => ''),
];

/** A model behind a template that refuses malformed histories; what it refused is in `problems`. */
class StrictModel implements ModelProvider {
  readonly problems: string[] = [];
  answers: Answer[] = [];
  /** Called when a request hangs: nothing but an interruption ends it. */
  onHang: () => void = () => {};
  readonly #quirks: ServerQuirks;
  readonly #features: TemplateFeatures;
  #calls = 0;

  constructor(quirks: Partial<ServerQuirks>, features: TemplateFeatures) {
    this.#quirks = { ...noQuirks, ...quirks };
    this.#features = features;
  }

  async *stream(request: ModelRequest, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<ModelEvent> {
    const body = toWireRequest(request, this.#quirks);
    const problem = requestProblem(body as Parameters<typeof requestProblem>[0], this.#features);
    if (problem !== undefined) this.problems.push(`${problem}: ${JSON.stringify(body.messages)}`);
    const last = request.messages.at(-1);
    const isSummary = last?.role === 'user' && textOfContent(last.content).includes('too long for the context window');
    const answer = isSummary ? 'text' : (this.answers.shift() ?? 'text');
    if (answer === 'hang') {
      yield { type: 'text_delta', block: 0, text: 'Half' };
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (!signal.aborted) {
        this.onHang();
        await aborted;
      }
      const error = { code: 'interrupted', message: 'Interrupted.' } as const;
      yield { type: 'error', error, partial: [{ type: 'text', text: 'Half' }] };
      return;
    }
    yield* this.#events(answer);
  }

  #events(answer: Exclude<Answer, 'hang'>): readonly ModelEvent[] {
    const use = (name: string): AssistantBlock => toolUse(`c${++this.#calls}`, name, { path: 'a' });
    const text = { type: 'text', text: 'Well. '.repeat(30) } as const;
    const thought = { type: 'thinking', text: 'Hm.' } as const;
    const broken = (): ToolUseError => {
      return {
        type: 'tool_use_error',
        error: 'broken',
        rawData: '{',
        toolUseId: `c${++this.#calls}`,
        toolName: 'read',
      };
    };
    const failed = (code: 'connection' | 'context_overflow'): readonly ModelEvent[] => [
      { type: 'error', error: { code, message: 'No: maximum context length is 3000 tokens' }, partial: [] },
    ];
    switch (answer) {
      case 'text':
        return response([text]);
      case 'nothing':
        return response([]);
      case 'thought':
        return response([thought]);
      case 'call':
        return response([thought, use('read')]);
      case 'calls':
        return response([text, use('read'), use('read'), use('write')]);
      case 'denied':
        return response([use('write')]);
      case 'unknown':
        return response([use('fly')]);
      case 'unreadable':
        return response([broken()], { stopReason: 'tool_use' });
      case 'mixed':
        return response([
          use('fly'),
          broken(),
          use('write'),
          use('read'),
          { type: 'tool_use_error', error: 'nameless' },
        ]);
      case 'cut':
        return response([text, use('read')], { stopReason: 'incomplete' });
      case 'length':
        return response([text], { stopReason: 'length' });
      case 'failure':
        return failed('connection');
      case 'overflow':
        return failed('context_overflow');
    }
  }
}

function damaged(history: readonly Message[], at: number, how: string): readonly Message[] {
  if (history.length === 0) return history;
  const index = at % history.length;
  if (how === 'cutOff') return history.slice(0, index);
  return how === 'drop' ? history.toSpliced(index, 1) : history.toSpliced(index, 0, history[index] as Message);
}

describe('strict templates accept the history, whatever happens', () => {
  for (const [what, quirks, features] of servers) {
    it(`of a server that has ${what}`, async () => {
      const property = fc.asyncProperty(fc.array(operations, { maxLength: 12 }), async (list) => {
        const model = new StrictModel(quirks, features);
        const open = (history: readonly Message[], autoExecuteTools = true): Client =>
          new Client({
            systemPrompt: 'Be brief.',
            model: scriptedModel,
            baseUrl: 'http://localhost:8080',
            provider: model,
            tools,
            autoExecuteTools,
            // What is on file is JSON.
            history: JSON.parse(JSON.stringify(history)) as Message[],
            compaction: { contextWindow: 1_500 },
            hooks: {
              PreToolUse: [({ toolName }) => (toolName === 'write' ? { action: 'deny', reason: 'no' } : undefined)],
            },
          });
        let client = open([]);
        for (const operation of list) {
          if (operation.do === 'reopen' || operation.do === 'reopenManual') {
            client = open(client.history, operation.do === 'reopen');
          } else if (operation.do === 'damage' && 'how' in operation) {
            client = open(damaged(client.history, operation.at, operation.how));
          } else if ('answers' in operation) {
            await perform(client, model, operation.do, operation.answers);
          }
        }
        assert.deepEqual(model.problems, []);
      });
      await fc.assert(property, { seed: 11, numRuns: 100 });
    });
  }
});

async function perform(client: Client, model: StrictModel, what: string, script: readonly Answer[]): Promise<void> {
  model.answers = [...script];
  model.onHang = () => void client.interrupt();
  if (what === 'continue' && client.history.length === 0) return;
  const events = what === 'continue' ? client.continueRun() : client.run('Go on.');
  let left = what === 'steer' ? 2 : 0;
  for await (const event of events) {
    // A run that is spoken to at every step has no end.
    if (event.type === 'step_start' && left-- > 0) client.steer('And this.');
  }
}
