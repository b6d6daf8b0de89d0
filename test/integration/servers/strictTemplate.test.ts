import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultAgentSettings, type AgentSettings } from '../../../src/agent/configuration/agentSettings';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createGate, ModelServer, type CompletionRequest, type Turn } from '../../support/servers/modelServer';
import { nextEvent, outline, ScriptedApprover } from '../../support/sessions/sessions';
import { StrictTemplate, templateProblem } from '../../support/servers/strictTemplate';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { createRegistry } from '../../support/sessions/registry';

const read = (file: string) => ({ name: 'read_file', arguments: { path: file } });
const write = (file: string) => ({ name: 'write_file', arguments: { path: file, content: 'new\n' } });
const say = (text: string) => ({ text });

describe('a server with a strict template accepts every request', () => {
  let server: ModelServer;
  let template: StrictTemplate;
  let folder: TemporaryFolder;
  let approver: ScriptedApprover;
  let settings: AgentSettings;
  const registries: SessionRegistry[] = [];

  beforeEach(async () => {
    server = await ModelServer.start();
    template = new StrictTemplate(server);
    folder = await createTemporaryFolder({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    approver = new ScriptedApprover();
    settings = { ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm' };
  });

  afterEach(async () => {
    for (const registry of registries.splice(0)) await registry.dispose();
    await server.dispose();
    await folder.dispose();
    assert.deepEqual(template.refusals, []);
    assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
  });

  /** The session as another window opens it. */
  function openRegistry(): SessionRegistry {
    const createClient = createAgent({
      settings: () => settings,
      ports: createNodePorts(),
      roots: () => [{ name: 'app', path: folder.path }],
      isTrusted: () => true,
      keys: new KeyStore({ secrets: memorySecrets() }),
      slots: new SlotQueue(),
      fetch: createFetch(),
      platform: 'linux',
    });
    const registry = createRegistry(path.join(folder.path, '.sessions'), { createClient, approver });
    registries.push(registry);
    return registry;
  }

  async function ask(session: AgentSession, text: string): Promise<void> {
    await session.submit({ text });
    await session.whenIdle();
  }

  /** The role of each message of the newest request, without the system message. */
  function roles(): string {
    return (server.completions.at(-1)?.body.messages ?? [])
      .slice(1)
      .map(({ role }) => role)
      .join(' ');
  }

  it('after a denial, alone and among other calls', async () => {
    const session = await openRegistry().create();
    template.script({ toolCalls: [write('c.txt')] }, say('Then not.'));
    template.script({ text: 'I try all.', toolCalls: [read('a.txt'), write('d.txt'), read('b.txt')] }, say('Done.'));
    template.script(say('Yes.'));
    approver.decisions.push({ action: 'deny', reason: 'not there' }, { action: 'deny' });
    await ask(session, 'Write c.txt');
    await ask(session, 'Write d.txt');
    await ask(session, 'Are you there?');
    assert.equal(roles(), 'user assistant tool assistant user assistant tool tool tool assistant user');
  });

  it('after unreadable calls, calls of unknown tools, and calls without ids', async () => {
    const session = await openRegistry().create();
    template.script(
      { toolCalls: [{ name: 'read_file', arguments: '{"path": "a.txt" and more' }] },
      {
        toolCalls: [
          { name: 'fly', arguments: {} },
          { ...read('a.txt'), id: '' },
        ],
      },
      {
        toolCalls: [
          { ...read('a.txt'), id: 'same' },
          { ...read('b.txt'), id: 'same' },
        ],
      },
      { toolCalls: [{ ...read('b.txt'), id: 'same' }] },
      { text: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>' },
      say('Enough.'),
      say('Bye.'),
    );
    await ask(session, 'Read');
    await ask(session, 'Thanks');
    assert.equal(server.completions.length, 7);
  });

  it('after a stop: before the first byte, within an answer, within a call, and while it waits for a person', async () => {
    const session = await openRegistry().create();
    const early = createGate();
    template.script({ text: 'Never.', heldUntil: early });
    await session.submit({ text: 'One' });
    await early.reached;
    await session.stop();

    const middle = createGate();
    template.script({ text: ['Half of ', middle, 'it.'] });
    const streamed = nextEvent(session, (event) => event.type === 'agent' && event.event.type === 'text_delta');
    await session.submit({ text: 'Two' });
    await streamed;
    await session.stop();

    const inCall = createGate();
    const callStart = { index: 0, id: 'cut', type: 'function', function: { name: 'read_file', arguments: '{"pa' } };
    const frame = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [callStart] } }] })}\n\n`;
    template.script({ kind: 'raw', writes: [frame, inCall] });
    const begun = nextEvent(session, (event) => event.type === 'agent' && event.event.type === 'tool_use_start');
    await session.submit({ text: 'Three' });
    await begun;
    await session.stop();

    template.script({ toolCalls: [read('a.txt'), write('c.txt'), read('b.txt')] });
    const asked = createGate();
    approver.decisions.push(async () => {
      await asked.pass();
      return { action: 'cancelled' };
    });
    await session.submit({ text: 'Four' });
    await asked.reached;
    const stopped = session.stop();
    asked.open();
    await stopped;

    template.script(say('Here.'));
    await ask(session, 'Five');
    assert.equal(roles(), 'user assistant user assistant user assistant user assistant tool tool tool assistant user');
    assert.ok(outline(session.view).includes('text: Here.'), outline(session.view).join('\n'));
  });

  it('when the person writes while it works: once, several times, and too late', async () => {
    const session = await openRegistry().create();
    const asked = createGate();
    approver.decisions.push(async () => {
      await asked.pass();
      return { action: 'allow' };
    });
    template.script({ toolCalls: [write('c.txt')] }, { toolCalls: [read('c.txt')] }, say('Both done.'));
    await session.submit({ text: 'Write c.txt' });
    await asked.reached;
    await session.submit({ text: 'And read it.' });
    await session.submit({ text: 'Twice if you must.' });
    asked.open();
    await session.whenIdle();

    const last = createGate();
    template.script({ text: ['That is ', last, 'all.'] }, say('This too.'));
    const streamed = nextEvent(session, (event) => event.type === 'agent' && event.event.type === 'text_delta');
    await session.submit({ text: 'Anything else?' });
    await streamed;
    await session.submit({ text: 'Say more.' });
    last.open();
    await session.whenIdle();
    assert.equal(roles(), 'user assistant tool assistant user assistant tool assistant user assistant user');
  });

  it('after cut-off answers and failures, with Retry', async () => {
    const session = await openRegistry().create();
    template.script({ text: 'I beg', cut: true, finishReason: null }, { text: 'I begin', finishReason: null });
    await ask(session, 'Begin');
    // The first is asked for again with more room. The run ends after four more.
    const limited = { text: 'I look', toolCalls: [read('a.txt')], finishReason: 'length' };
    template.script(limited, limited, limited, limited, limited);
    await session.retry();
    await session.whenIdle();
    template.script({ kind: 'status', status: 400, body: { error: { message: 'Not now.' } } });
    await session.retry();
    await session.whenIdle();
    template.script({ thinking: 'Only thoughts.' }, { thinking: 'Again.', toolCalls: [read('a.txt')] }, say('One.'));
    await session.retry();
    await session.whenIdle();
    template.script(say('Two.'));
    await ask(session, 'Next');
    assert.ok(outline(session.view).includes('text: Two.'), outline(session.view).join('\n'));
  });

  it('after the step limit, with Continue', async () => {
    settings = { ...settings, maxToolIterations: 2 };
    const session = await openRegistry().create();
    template.script({ toolCalls: [read('a.txt')] }, { toolCalls: [read('b.txt')] });
    await ask(session, 'Read all');
    template.script({ toolCalls: [read('a.txt')] }, say('Read.'));
    await session.continueRun();
    await session.whenIdle();
    assert.equal(roles(), 'user assistant tool assistant tool assistant tool');
  });

  it('after a window closed within an answer and within a call, and another continued', async () => {
    const first = openRegistry();
    const session = await first.create();
    const middle = createGate();
    template.script({ toolCalls: [read('a.txt')] }, { text: ['It says ', middle, 'one.'] });
    const streamed = nextEvent(session, (event) => event.type === 'agent' && event.event.type === 'text_delta');
    await session.submit({ text: 'Read a.txt' });
    await streamed;
    await first.dispose();

    const second = openRegistry();
    const again = await second.open(session.id);
    template.script({ toolCalls: [read('b.txt'), write('c.txt')] });
    const asked = createGate();
    approver.decisions.push(async () => {
      await asked.pass();
      return { action: 'cancelled' };
    });
    await again.continueRun();
    await asked.reached;
    const closed = second.dispose();
    asked.open();
    await closed;

    template.script(say('Where were we?'));
    const third = await openRegistry().open(session.id);
    await ask(third, 'Go on');
    assert.deepEqual(outline(third.view).at(-1), 'text: Where were we?');
  });

  it('after conversations were summarised to fit', async () => {
    settings = { ...settings, contextWindow: 4_096 };
    const session = await openRegistry().create();
    const long = (topic: string): string =>
      Array.from({ length: 650 }, (_, index) => `${topic} ${index} is ${index * 7}.`).join(' ');
    const summary = say('They asked for reasons.');
    template.script(
      say(long('Reason')),
      summary,
      say(long('Cause')),
      summary,
      { toolCalls: [read('a.txt')] },
      say('One.'),
    );
    await ask(session, 'Why?');
    await ask(session, 'And how?');
    await ask(session, 'Read a.txt');
    const summaries = server.completions.filter(({ text }) => text.includes('were left out to fit the context window'));
    assert.ok(summaries.length > 0);
    assert.deepEqual(outline(session.view).at(-1), 'text: One.');
  });

  it('when a conversation is summarised within a turn, again and again', async () => {
    settings = { ...settings, contextWindow: 4_096 };
    const lines = Array.from({ length: 60 }, (_, index) => `Line ${index} of a file that is long enough to matter.`);
    for (const name of ['c', 'd', 'e']) await writeFile(path.join(folder.path, `${name}.txt`), lines.join('\n'));
    let steps = 0;
    let summaries = 0;
    const next = (request: CompletionRequest): Turn => {
      if (request.body.messages.at(-1)?.content?.includes('too long for the context window') === true) {
        summaries += 1;
        return say('They want every file read.');
      }
      steps += 1;
      if (steps > 9) return say('All read.');
      // A call alone, two calls at once, and a call of an unknown tool.
      const calls = [read(`${'cde'[steps % 3]}.txt`), ...(steps % 2 === 0 ? [read('none.txt')] : [])];
      return { text: `Step ${steps}.`, toolCalls: calls };
    };
    template.script(...Array.from({ length: 40 }, () => next));
    const session = await openRegistry().create();
    await ask(session, 'Read them all');
    await ask(session, 'And?');
    server.dropTurns();
    assert.ok(summaries >= 2, `${summaries} summaries`);
    assert.equal(outline(session.view).filter((line) => line === 'text: All read.').length, 2);
  });

  for (const [what, features, rejections] of [
    ['tools', { hasTools: false }, ['gemma does not support tools']],
    ['a system role', { hasSystemRole: false }, ['System role not supported']],
    [
      'tools and a system role',
      { hasTools: false, hasSystemRole: false },
      ['gemma does not support tools', 'Conversation roles must alternate user/assistant/user/assistant/...'],
    ],
  ] as const) {
    it(`after it rejected ${what}: denial, steering, a stop, a reload`, async () => {
      template = new StrictTemplate(server, features);
      for (const message of rejections) server.script({ kind: 'status', status: 500, body: { error: { message } } });
      const isText = 'hasTools' in features;
      const callOf = (
        ...calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[]
      ): Turn =>
        isText
          ? { text: calls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`).join('\n') }
          : { toolCalls: calls };
      const registry = openRegistry();
      const session = await registry.create();
      approver.decisions.push({ action: 'deny', reason: 'not there' });
      template.script(callOf(read('a.txt'), write('c.txt')), say('Then not.'));
      await ask(session, 'Write c.txt');

      const asked = createGate();
      approver.decisions.push(async () => {
        await asked.pass();
        return { action: 'allow' };
      });
      template.script(callOf(write('c.txt')), callOf(read('c.txt')), say('Both done.'));
      await session.submit({ text: 'Write it all the same' });
      await asked.reached;
      await session.submit({ text: 'And read it.' });
      asked.open();
      await session.whenIdle();

      const middle = createGate();
      template.script({ text: ['Half of ', middle, 'it.'] });
      const streamed = nextEvent(session, (event) => event.type === 'agent' && event.event.type === 'text_delta');
      await session.submit({ text: 'Say more' });
      await streamed;
      await registry.dispose();

      // Another window learns it by itself.
      for (const message of rejections) server.script({ kind: 'status', status: 500, body: { error: { message } } });
      template.script(callOf(read('b.txt')), say('Here again.'));
      const again = await openRegistry().open(session.id);
      await ask(again, 'Are you there?');
      assert.deepEqual(outline(again.view).at(-1), 'text: Here again.');
    });
  }

  it('from an old session that is malformed', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const directory = path.join(folder.path, '.sessions');
    await mkdir(directory, { recursive: true });
    const call = (toolUseId: string) => ({
      type: 'tool_use',
      id: toolUseId,
      name: 'read_file',
      input: { path: 'a.txt' },
    });
    const bodies: readonly object[] = [
      { type: 'system_message', systemPrompt: 's', workspace: null, model: 'm', baseUrl: server.baseUrl },
      user('One'),
      user('Two'),
      { type: 'assistant_message', content: [call('1'), call('2')], responseId: '', model: '' },
      { type: 'tool_result', toolUseId: '2', content: 'two', isError: false, outcome: 'succeeded' },
      { type: 'tool_result', toolUseId: 'nobody', content: '?', isError: false, outcome: 'succeeded' },
      user('Three'),
      { type: 'assistant_message', content: [], responseId: '', model: '' },
      { type: 'assistant_message', content: [{ type: 'text', text: 'Hello' }], responseId: '', model: '' },
      { type: 'assistant_message', content: [{ type: 'text', text: 'Hello?' }], responseId: '', model: '' },
    ];
    const file = path.join(directory, `${id}.jsonl`);
    await writeFile(file, '');
    for (const [seq, body] of bodies.entries()) {
      const line = { v: 1, id: `e${seq}`, parentId: seq === 0 ? null : `e${seq - 1}`, seq, ts: seq, ...body };
      await appendFile(file, `${JSON.stringify(line)}\n`);
    }
    template.script({ toolCalls: [read('b.txt')] }, say('Two.'));
    const session = await openRegistry().open(id);
    await ask(session, 'Four');
    assert.deepEqual(outline(session.view).at(-1), 'text: Two.');
  });
});

function user(text: string): object {
  return { type: 'user_message', text, contextLabels: [], content: text, origin: 'prompt' };
}

describe('the strict template itself', () => {
  const system = { role: 'system', content: 's' };
  const question = { role: 'user', content: 'q' };
  const answer = { role: 'assistant', content: 'a' };
  const calls = {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }],
  };
  const result = { role: 'tool', content: 'r', tool_call_id: '1' };

  it('accepts a well-formed history', () => {
    assert.equal(templateProblem([system, question, calls, result, answer, question], true), undefined);
    assert.equal(templateProblem([system, question, calls, result], true), undefined);
  });

  for (const [what, messages] of [
    ['two questions in a row', [system, question, question]],
    ['a question right after a result', [system, question, calls, result, question]],
    ['a call without a result', [system, question, calls, answer, question]],
    ['a result without a call', [system, question, result]],
    ['an answer at the end', [system, question, answer]],
    ['no system message', [question]],
    ['an empty answer', [system, question, { role: 'assistant', content: '' }, question]],
    ['an id twice', [system, question, calls, result, calls, result]],
  ] as const) {
    it(`rejects ${what}`, () => assert.notEqual(templateProblem(messages, true), undefined));
  }
});
