import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalRequest } from '../../../src/agent/approval/approver';
import { VscodeApprover } from '../../../src/host/approvals/vscodeApprover';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { serveSessions, TOKEN, type ServedSessionsOptions } from '../../support/servers/servedAgent';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

type Served = Awaited<ReturnType<typeof serveSessions>>;

const write = { name: 'write_file', arguments: { path: 'a.txt', content: 'two\n' } };

describe('endpoint runs as sessions', () => {
  let model: ModelServer;
  let folder: TemporaryFolder;
  let approver: VscodeApprover;
  /** In the order in which they were asked. */
  let asked: ApprovalRequest[];
  let onAsked: () => void;
  const open: Served[] = [];

  beforeEach(async () => {
    model = await ModelServer.start();
    folder = await createTemporaryFolder({ 'w/a.txt': 'one\n' });
    asked = [];
    onAsked = () => undefined;
    approver = new VscodeApprover({
      preview: {
        open: () => Promise.resolve(),
        editedText: () => undefined,
        decideHunk: () => Promise.resolve([]),
        onHunksChanged: () => ({ dispose: () => undefined }),
        close: () => Promise.resolve(),
        isInReview: () => false,
      },
      isOnScreen: () => false,
      onInternalError: (error) => assert.fail(String(error)),
    });
  });

  afterEach(async () => {
    for (const { endpoint, registry, errors } of open.splice(0)) {
      await endpoint.stop();
      await registry.dispose();
      assert.deepEqual(errors, []);
    }
    await model.dispose();
    await folder.dispose();
  });

  async function serve(options: Partial<ServedSessionsOptions> = {}): Promise<Served> {
    const served = await serveSessions({
      modelUrl: model.baseUrl,
      folder: path.join(folder.path, 'w'),
      directory: path.join(folder.path, 'sessions'),
      approver: {
        ask: (request, more) => {
          const decision = approver.ask(request, more);
          asked.push(request);
          onAsked();
          return decision;
        },
      },
      ...options,
    });
    open.push(served);
    return served;
  }

  const question = async (number: number): Promise<ApprovalRequest> => {
    while (asked.length < number) await new Promise<void>((resolve) => (onAsked = resolve));
    return asked[number - 1]!;
  };

  async function ask({ endpoint }: Served, text: string, more: object = {}, signal: AbortSignal | null = null) {
    const body = { model: 'open-agent', messages: [{ role: 'user', content: text }], ...more };
    const response = await fetch(`${endpoint.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    return (await response.json()) as {
      choices: { message: { content: string }; finish_reason: string }[];
      open_agent: unknown;
      error?: { code: string; message: string };
    };
  }

  const fileText = (): Promise<string> => readFile(path.join(folder.path, 'w', 'a.txt'), 'utf8');

  it('are listed as sessions of a program, with its conversation, and are closed when they have ended', async () => {
    const served = await serve();
    model.script({ text: 'It is two.' });
    const messages = [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'And two?' },
    ];
    const answer = await ask(served, '', { messages });
    assert.equal(answer.choices[0]?.message.content, 'It is two.');
    assert.deepEqual(
      model.completions[0]?.body.messages.slice(1).map(({ role, content }) => [role, content]),
      messages.map(({ role, content }) => [role, content]),
    );
    await served.endpoint.stop();
    const [listed, ...others] = await served.registry.list();
    assert.deepEqual([listed?.title, listed?.isServed, others], ['And two?', true, []]);
    const session = await served.registry.open(listed?.id ?? '');
    await session.whenIdle();
    assert.deepEqual(
      session.view.items.map((item) => ('text' in item ? item.text : item.kind)),
      ['One?', 'One.', 'And two?', 'It is two.'],
    );
  });

  it('ask the person, name the program, and run allowed calls', async () => {
    const served = await serve();
    const waiting: (readonly string[])[] = [];
    served.served.onWaiting(() => waiting.push(served.served.waiting));
    model.script({ toolCalls: [write] }, { text: 'Written.' });
    const answer = ask(served, 'Write two');
    const { id, sessionId, askedBy } = await question(1);
    assert.equal(askedBy, 'endpoint');
    const { view } = await served.registry.open(sessionId);
    assert.equal(view.state, 'waiting_for_approval');
    const card = view.items.find((item) => item.kind === 'tool');
    assert.equal(card?.approval?.askedBy, 'endpoint');
    assert.equal(await fileText(), 'one\n');
    assert.equal(approver.approve(id), true);
    assert.deepEqual((await answer).choices, [
      { index: 0, message: { role: 'assistant', content: 'Written.' }, finish_reason: 'stop' },
    ]);
    assert.equal(await fileText(), 'two\n');
    assert.deepEqual(waiting, [[sessionId], []]);
  });

  it('tell the model when the person denies, and when nobody answers in time', async () => {
    const served = await serve();
    model.script({ toolCalls: [write] }, { toolCalls: [write] }, { text: 'Not written.' });
    const answer = ask(served, 'Write two');
    approver.deny((await question(1)).id, 'Not today.');
    await question(2);
    served.schedule.run();
    assert.deepEqual((await answer).open_agent, {
      tools: [
        { id: 'call_1_0', name: 'write_file', state: 'denied' },
        { id: 'call_2_0', name: 'write_file', state: 'denied' },
      ],
    });
    const results = model.completions[2]?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    assert.match(String(results[0]?.content), /Not today\./);
    assert.match(String(results[1]?.content), /Nobody answered within 10 minutes, so the edit was rejected\./);
    assert.equal(await fileText(), 'one\n');
  });

  it('end when the caller leaves or the person stops them, and take their question back', async () => {
    const served = await serve();
    const leaving = new AbortController();
    model.script({ toolCalls: [write] }, { toolCalls: [write] });
    const left = ask(served, 'Write two', {}, leaving.signal).catch((error: Error) => error.name);
    const first = await question(1);
    leaving.abort();
    assert.equal(await left, 'AbortError');
    const session = await served.registry.open(first.sessionId);
    await session.whenIdle();
    assert.equal(approver.approve(first.id), false);

    const stopped = ask(served, 'Write three');
    const second = await question(2);
    await (await served.registry.open(second.sessionId)).stop();
    assert.deepEqual((await stopped).error, {
      message: 'The run was stopped.',
      type: 'server_error',
      param: null,
      code: 'interrupted',
    });
    assert.equal(await fileText(), 'one\n');
  });

  it('report why no client could be created', async () => {
    const served = await serve({ modelUrl: 'ftp://models' });
    const { error } = await ask(served, 'Hello');
    assert.equal(error?.code, 'invalid_options');
    served.world.isTrusted = false;
    assert.match((await ask(served, 'Hello')).error?.message ?? '', /no longer trusted/);
  });

  it("follow the caller's wishes, but later prompts of the person do not", async () => {
    const served = await serve();
    model.script({ text: 'Arr.' }, { text: 'Yes.' });
    await ask(served, '', {
      max_tokens: 10,
      seed: 7,
      messages: [
        { role: 'system', content: 'Speak like a pirate.' },
        { role: 'user', content: 'Hi.' },
      ],
    });
    const [listed] = await served.registry.list();
    const session = await served.registry.open(listed?.id ?? '');
    await session.submit({ text: 'And now?' });
    await session.whenIdle();
    const sent = model.completions.map(({ body }) => body as typeof body & { seed?: number });
    assert.deepEqual(
      sent.map(({ max_tokens, seed, messages }) => [max_tokens, seed, /pirate/.test(String(messages[0]?.content))]),
      [
        [10, 7, true],
        [undefined, undefined, false],
      ],
    );
    assert.equal(sent[1]?.messages.at(-1)?.content, 'And now?');
  });

  it('go to the trash when newer ones come, unless the person has continued them', async () => {
    const served = await serve({ keep: 2 });
    const titles = async (): Promise<readonly string[]> => (await served.registry.list()).map(({ title }) => title);
    const settled = async (...expected: readonly string[]): Promise<void> => {
      while (String(await titles()) !== String(expected)) await new Promise((resolve) => setImmediate(resolve));
    };
    const say = async (text: string): Promise<void> => {
      model.script({ text: 'Yes.' });
      await ask(served, text);
    };
    await say('One');
    await say('Two');
    await settled('Two', 'One');
    const [, one] = await served.registry.list();
    model.script({ text: 'Mine.' });
    const session = await served.registry.open(one?.id ?? '');
    await session.submit({ text: 'Go on.' });
    await session.whenIdle();
    await say('Three');
    await say('Four');
    await settled('Four', 'Three', 'One');
    await say('Five');
    await say('Six');
    await settled('Six', 'Five', 'One');
  });

  it('let the person go first on a server with one slot', async () => {
    const served = await serve();
    const gate = createGate();
    model.script({ text: ['First', gate] }, { text: 'The person.' }, { text: 'Second.' }, { text: 'Third.' });
    const first = ask(served, 'One');
    await model.completion(1);
    const others = [ask(served, 'Two'), ask(served, 'Three')];
    const queued = async (count: number): Promise<void> => {
      for (;;) {
        const listed = await served.registry.list();
        const views = await Promise.all(listed.map(async ({ id }) => (await served.registry.open(id)).view));
        if (views.filter(({ activity }) => activity?.status === 'queued').length === count) return;
      }
    };
    await queued(2);
    const mine = await served.registry.create();
    await mine.submit({ text: 'Mine' });
    await queued(3);
    assert.equal(mine.view.activity?.detail, 'behind another request');
    gate.open();
    await mine.whenIdle();
    await Promise.all([first, ...others]);
    assert.equal(model.completions[1]?.body.messages.at(-1)?.content, 'Mine');
  });
});
