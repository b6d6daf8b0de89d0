import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AgentError } from '../../../../src/sdk/errors';
import type { AssistantBlock } from '../../../../src/sdk/messages';
import { NOT_STARTED, OUTCOME_UNKNOWN } from '../../../../src/sdk/session/replay';
import {
  failure,
  hold,
  response,
  ScriptedProvider,
  textResponse,
  toolUse,
  type Script,
} from '../../../support/servers/scriptedProvider';
import { comparable, nextEvent, outline, SessionBench, sessionFile } from '../../../support/sessions/sessions';

/** The same file in another process: nothing of the first one lives on. */
function reload(bench: SessionBench, text = bench.storage.text(sessionFile)): SessionBench {
  const next = new SessionBench();
  next.storage.setText(sessionFile, text);
  return next;
}

const unfinished = 'notice [continue]: The last answer was interrupted before it was done. Nothing has run since.';

describe('A session that is loaded again', () => {
  it('sends byte for byte the same request', async () => {
    const scripts: readonly Script[] = [
      response([
        { type: 'thinking', text: 'Let me look.' },
        { type: 'text', text: 'Reading – “a”.' },
        toolUse('c1', 'read', { path: 'a' }),
        toolUse('c2', 'run', { command: 'ls' }),
        { type: 'tool_use_error', error: 'not JSON', rawData: '{"x', toolUseId: 'c3', toolName: 'read' },
        toolUse('c4', 'nonsense', { deep: { list: [1, null, 'x'] } }),
      ]),
      textResponse('Done.'),
      failure({ code: 'stream_broken', message: 'The stream of http://localhost:8080/v1 broke.' }, [
        { type: 'text', text: 'Half of' },
      ]),
      textResponse('and the other half.'),
    ];
    const live = new SessionBench();
    live.approver.decisions.push({ action: 'deny', reason: 'no' });
    const session = await live.open(...scripts, textResponse('Last.'));
    await session.submit({ text: 'one', context: [{ label: 'a', content: 'A' }] });
    await session.whenIdle();
    await session.submit({ text: 'two' });
    await session.whenIdle();
    await session.retry();
    await session.whenIdle();
    const file = live.storage.text(sessionFile);
    const before = session.view;

    const again = reload(live, file);
    const loaded = await again.open(textResponse('Last.'));
    assert.deepEqual(comparable(loaded.view), comparable(before));
    for (const each of [session, loaded]) {
      await each.submit({ text: 'three' });
      await each.whenIdle();
    }
    assert.equal(again.newestRequest, live.newestRequest);
    assert.deepEqual(outline(loaded.view), outline(session.view));
    assert.equal((await again.entries()).filter(({ type }) => type === 'epoch').length, 0);
  });

  it('marks the partial answer as interrupted, offers to continue, and continues from it', async () => {
    const bench = new SessionBench();
    const middle = hold();
    const session = await bench.open([
      { type: 'thinking_delta', block: 0, text: 'Hm.' },
      { type: 'text_delta', block: 1, text: 'Once ' },
      { type: 'text_delta', block: 1, text: 'upon' },
      middle,
    ]);
    await session.submit({ text: 'Tell' });
    await middle.reached;
    await session.dispose();

    const again = reload(bench);
    const loaded = await again.open(textResponse(' a time.'));
    assert.deepEqual(outline(loaded.view), [
      'prompt: Tell',
      'thinking: Hm.',
      'text (interrupted): Once upon',
      unfinished,
    ]);
    await loaded.continueRun();
    await loaded.whenIdle();
    assert.deepEqual(outline(loaded.view).slice(2), ['text (interrupted): Once upon', 'text:  a time.']);
    assert.deepEqual(
      again.requests[0]?.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('has lost no more than a second of an answer after a crash', async () => {
    const bench = new SessionBench();
    const [first, second] = [hold(), hold()];
    const session = await bench.open([
      { type: 'text_delta', block: 0, text: 'Once ' },
      first,
      { type: 'text_delta', block: 0, text: 'upon ' },
      { type: 'text_delta', block: 0, text: 'a time' },
      second,
    ]);
    const heard = (text: string): Promise<unknown> =>
      nextEvent(session, ({ type, ...rest }) => type === 'agent' && JSON.stringify(rest).includes(text));
    const firstHeard = heard('Once ');
    await session.submit({ text: 'Tell' });
    await firstHeard;
    assert.deepEqual(bench.schedule.delays, [1_000]);
    bench.schedule.run();
    const secondHeard = heard('a time');
    first.release();
    await secondHeard;
    bench.schedule.run();
    await bench.log?.flush();
    const crashed = bench.storage.text(sessionFile);
    assert.deepEqual(
      (await bench.entries()).flatMap((entry) => (entry.type === 'assistant_partial' ? [entry.blocks] : [])),
      [[{ block: 0, type: 'text', text: 'Once ' }], [{ block: 0, type: 'text', text: 'upon a time' }]],
    );
    await session.dispose();

    const loaded = await reload(bench, crashed).open();
    assert.deepEqual(outline(loaded.view), ['prompt: Tell', 'text (interrupted): Once upon a time', unfinished]);
  });

  it('tells nothing and asks the model nothing before the file has it', async () => {
    const bench = new SessionBench();
    const session = await bench.open(
      response([{ type: 'text', text: 'I look.' }, toolUse('c1', 'read', { path: 'a' })]),
      textResponse('Done.'),
    );
    /** The event that a listener hears, and the entry that must be in the file by then. */
    const entryOf: Readonly<Record<string, string>> = {
      user_message: 'user_message',
      assistant_message: 'assistant_message',
      tool_execution_start: 'tool_call',
      tool_execution_end: 'tool_result',
    };
    const heard: string[] = [];
    session.onEvent((happened) => {
      const entry = happened.type === 'agent' ? entryOf[happened.event.type] : undefined;
      if (entry === undefined) return;
      heard.push(entry);
      const isThere = bench.storage.text(sessionFile).split(`"type":"${entry}"`).length - 1;
      assert.equal(isThere, heard.filter((other) => other === entry).length, entry);
      assert.equal(bench.requests.length, heard.filter((other) => other === 'assistant_message').length, entry);
    });
    await session.submit({ text: 'Look' });
    await session.whenIdle();
    assert.deepEqual(heard, ['user_message', 'assistant_message', 'tool_call', 'tool_result', 'assistant_message']);
    assert.deepEqual(bench.internalErrors, []);
  });

  it('keeps a prompt that waited when the process died, once', async () => {
    const bench = new SessionBench();
    const middle = hold();
    const session = await bench.open([{ type: 'text_delta', block: 0, text: 'Look' }, middle]);
    await session.submit({ text: 'first' });
    await middle.reached;
    await session.submit({ text: 'second' });
    const crashed = bench.storage.text(sessionFile);
    assert.ok(crashed.includes('"second"'), 'it is in the file when it is accepted');
    await session.dispose();

    const again = reload(bench, crashed);
    const loaded = await again.open(textResponse('Both.'));
    assert.deepEqual(outline(loaded.view).slice(0, 1), ['prompt: first']);
    const [held] = loaded.view.waiting ?? [];
    assert.deepEqual([held?.text, held?.when, loaded.view.waiting?.length], ['second', 'held', 1]);
    await loaded.sendWaiting(held!.id, 'next_step');
    await loaded.whenIdle();
    assert.ok(again.newestRequest.includes('second'));
    await loaded.dispose();
    const { view } = await reload(again).open();
    assert.deepEqual(
      outline(view).filter((line) => line.endsWith('second')),
      ['prompt: second'],
    );
    assert.equal(view.waiting, undefined);
  });

  it('does not run a tool again of which the outcome is unknown', async () => {
    const bench = new SessionBench();
    const calls: AssistantBlock[] = [toolUse('c1', 'run', { command: 'ls' }), toolUse('c2', 'run', { command: 'rm' })];
    const session = await bench.open(response(calls), textResponse('Done.'));
    await session.submit({ text: 'Run' });
    await session.whenIdle();
    const lines = bench.storage.text(sessionFile).split('\n');
    const intent = lines.findIndex((line) => line.includes('"tool_call"'));
    const crashed = `${lines.slice(0, intent + 1).join('\n')}\n`;

    const again = reload(bench, crashed);
    const loaded = await again.open(textResponse('I checked.'));
    assert.deepEqual(outline(loaded.view), [
      'prompt: Run',
      `run outcome_unknown: ${OUTCOME_UNKNOWN}`,
      `run interrupted: ${NOT_STARTED}`,
      unfinished,
    ]);
    await loaded.continueRun();
    await loaded.whenIdle();
    assert.deepEqual(again.done, []);
    assert.deepEqual(again.approver.requests, []);
    assert.deepEqual(again.requests[0]?.messages.slice(2), [
      {
        role: 'tool',
        content: { type: 'tool_result', toolUseId: 'c1', toolName: 'run', content: OUTCOME_UNKNOWN, isError: true },
      },
      {
        role: 'tool',
        content: { type: 'tool_result', toolUseId: 'c2', toolName: 'run', content: NOT_STARTED, isError: true },
      },
    ]);
  });

  it('has forgotten an open question', async () => {
    const bench = new SessionBench();
    const asked = hold();
    bench.approver.decisions.push(async () => {
      await asked.wait(new AbortController().signal);
      return { action: 'allow' };
    });
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]));
    await session.submit({ text: 'Run' });
    await asked.reached;
    await session.dispose();
    asked.release();
    const loaded = await reload(bench).open();
    const [, item] = loaded.view.items;
    assert.deepEqual(item?.kind === 'tool' && [item.state, item.approval, item.approvalOutcome], [
      'interrupted',
      undefined,
      'expired',
    ]);
    assert.equal(loaded.view.state, 'idle');
    assert.deepEqual(bench.done, []);
  });

  it('offers to repeat a prompt that failed', async () => {
    const bench = new SessionBench();
    bench.beforeClient = () =>
      Promise.reject(new AgentError({ code: 'unauthorized', message: 'No key.', status: 401 }));
    const session = await bench.open();
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await session.dispose();
    const again = reload(bench);
    const loaded = await again.open(textResponse('Hello.'));
    assert.deepEqual(comparable(loaded.view), comparable(session.view));
    assert.deepEqual(outline(loaded.view), ['prompt: Hi', 'notice [setApiKey, retry, showLog]: No key.']);
    await loaded.retry();
    await loaded.whenIdle();
    assert.deepEqual(outline(loaded.view), ['prompt: Hi', 'text: Hello.']);
  });

  it('keeps a prompt that the run did not take', async () => {
    const bench = new SessionBench();
    const middle = hold();
    const session = await bench.open([{ type: 'text_delta', block: 0, text: 'Look' }, middle]);
    await session.submit({ text: 'first' });
    await middle.reached;
    await session.submit({ text: 'second' });
    await session.dispose();
    const again = reload(bench);
    const loaded = await again.open(textResponse('Both.'));
    assert.deepEqual(outline(loaded.view), ['prompt: first', 'text (interrupted): Look', unfinished]);
    await loaded.continueRun();
    await loaded.whenIdle();
    assert.doesNotMatch(again.newestRequest, /second/);
    assert.deepEqual(
      loaded.view.waiting?.map(({ text }) => text),
      ['second'],
    );
    const [second] = loaded.view.waiting ?? [];
    loaded.withdraw(second!.id);
    await loaded.dispose();
    assert.equal((await reload(again).open()).view.waiting, undefined);
  });

  it('reports unreadable lines, and keeps the rest', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('Hello.'), textResponse('Again.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await session.dispose();
    const lines = bench.storage.text(sessionFile).split('\n');
    // Zeros before the beginning of a line: two problems of one line.
    const damaged = [...lines.slice(0, 4), `\0\0${lines[4]?.slice(0, 30)}`, ...lines.slice(5)].join('\n');
    const loaded = await reload(bench, damaged).open();
    assert.deepEqual(outline(loaded.view), [
      'prompt: Hi',
      `notice []: Line 5 of this session's file could not be read and was left out. The file itself was not changed: ${sessionFile}`,
    ]);
  });

  it('names again the unasked changes that nobody has seen', async () => {
    const bench = new SessionBench();
    const session = await bench.open(response([toolUse('c1', 'read', { path: 'a.ts' })]), textResponse('Done.'));
    await session.submit({ text: 'Change it' });
    await session.whenIdle();
    await session.dispose();
    const lines = bench.storage.text(sessionFile).trimEnd().split('\n');
    const changed = lines.map((line) => {
      const entry = JSON.parse(line) as { readonly type: string };
      const display = { applied: true, addedLines: 2, removedLines: 1 };
      return `${JSON.stringify(entry.type === 'tool_result' ? { ...entry, display } : entry)}\n`;
    });
    for (const isUnseen of [true, false]) {
      const again = reload(bench, changed.join(''));
      again.isUnseen = (path) => isUnseen && path === 'a.ts';
      const { view } = await again.open();
      assert.deepEqual(
        outline(view).slice(3),
        isUnseen ? ['notice [reviewEdits]: The agent changed one file without asking:\na.ts +2 −1'] : [],
      );
    }
  });

  it('follows the newest branch', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('One.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await session.dispose();
    const entries = await bench.entries();
    const answer = entries.find(({ type }) => type === 'assistant_message');
    const branch = { ...answer, id: 'other', seq: entries.length, content: [{ type: 'text', text: 'Other.' }] };
    const again = reload(bench, `${bench.storage.text(sessionFile)}${JSON.stringify(branch)}\n`);
    const loaded = await again.open(textResponse('Fine.'));
    assert.deepEqual(outline(loaded.view).slice(0, 2), ['prompt: Hi', 'text: Other.']);
    await loaded.submit({ text: 'Why?' });
    await loaded.whenIdle();
    assert.match(again.newestRequest, /Other\./);
    assert.doesNotMatch(again.newestRequest, /One\./);
  });

  it('loads and continues wherever its file is cut off', async () => {
    const bench = new SessionBench();
    const session = await bench.open(
      response([
        { type: 'text', text: 'Ünï 🙂' },
        toolUse('c1', 'read', { path: 'a' }),
        toolUse('c2', 'run', { command: 'l' }),
      ]),
      textResponse('Done.'),
    );
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await session.dispose();
    const bytes = Buffer.from(bench.storage.text(sessionFile));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const again = new SessionBench();
      again.storage.files.set(sessionFile, bytes.subarray(0, cut));
      const loaded = await again.open(textResponse('Next.'));
      await loaded.submit({ text: 'next' });
      await loaded.whenIdle();
      await loaded.dispose();
      assert.deepEqual(outline(loaded.view).slice(-1), ['text: Next.'], `cut at ${cut}`);
      assert.deepEqual(again.internalErrors, [], `cut at ${cut}`);
      // Loaded once more, it is the same: what was made up for the lost end does not change.
      const once = await reload(again).open();
      const [first, second] = [
        comparable(once.view, { withNotices: false }),
        comparable(loaded.view, { withNotices: false }),
      ];
      assert.deepEqual(first, second, `cut at ${cut}`);
    }
  });

  it('shows what the live events had shown, for any run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
        const bench = new SessionBench();
        const session = await bench.open();
        for (const [index, { scripts, decisions }] of turns.entries()) {
          bench.provider = new ScriptedProvider(scripts);
          bench.approver.decisions.push(...decisions);
          await session.submit({ text: `prompt ${index}` });
          await session.whenIdle();
          bench.approver.decisions.length = 0;
        }
        assert.deepEqual(bench.internalErrors, []);
        const again = reload(bench);
        const loaded = await again.open(textResponse('Last.'));
        assert.deepEqual(comparable(loaded.view), comparable(session.view));
        bench.provider = new ScriptedProvider([textResponse('Last.')]);
        for (const each of [session, loaded]) {
          await each.submit({ text: 'last' });
          await each.whenIdle();
        }
        assert.equal(again.newestRequest, bench.newestRequest);
      }),
      { numRuns: 100 },
    );
  });
});

const words = fc.string({ minLength: 0, maxLength: 12, unit: 'grapheme' });
const call = fc.oneof(
  words.map((path): AssistantBlock => toolUse('', 'read', { path })),
  words.map((command): AssistantBlock => toolUse('', 'run', { command })),
  words.map((name): AssistantBlock => toolUse('', `no${name.length}`, {})),
);
const prose = fc.oneof(
  words.map((text): AssistantBlock => ({ type: 'text', text })),
  words.map((text): AssistantBlock => ({ type: 'thinking', text })),
);
const answer = fc.tuple(fc.array(prose, { maxLength: 3 }), fc.array(call, { maxLength: 2 }));
let callCount = 0;
const goodStep = answer.map(([before, calls]): Script => {
  const numbered = calls.map((block) => (block.type === 'tool_use' ? { ...block, id: `c${(callCount += 1)}` } : block));
  return response([...before, ...numbered]);
});
const badStep = fc
  .tuple(fc.array(prose, { maxLength: 2 }), fc.constantFrom('error', 'cut'))
  .map(([blocks, kind]): Script => {
    if (kind === 'cut') return response(blocks, { stopReason: 'incomplete' });
    return failure(
      { code: 'stream_broken', message: 'It broke.' },
      blocks.filter((block) => 'text' in block && block.text),
    );
  });
const turn = fc.record({
  scripts: fc
    .tuple(fc.array(goodStep, { maxLength: 3 }), fc.oneof(goodStep, badStep))
    .map(([steps, last]) => [...steps, last, textResponse('The end.')]),
  decisions: fc.array(
    fc.constantFrom(
      { action: 'allow' } as const,
      { action: 'deny', reason: 'no' } as const,
      { action: 'deny' } as const,
    ),
    { maxLength: 3 },
  ),
});
