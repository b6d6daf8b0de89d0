import assert from 'node:assert/strict';
import { AgentError } from '../../../../src/sdk/errors';
import { failure, hold, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { rulesOf } from '../../../support/sessions/projectRules';
import { outline, SessionBench, sessionFile } from '../../../support/sessions/sessions';

const refused = { code: 'connection', message: 'Nothing answers at http://localhost:8080/v1.' } as const;

describe('AgentSession', () => {
  it('answers a prompt and writes the events', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('Hello.', { promptTokens: 5, completionTokens: 2 }));
    await session.submit({ text: 'Hi\nthere' });
    assert.equal(session.view.state, 'running');
    await session.whenIdle();

    assert.deepEqual(outline(session.view), ['prompt: Hi\nthere', 'text: Hello.']);
    assert.equal(session.view.title, 'Hi');
    assert.equal(session.view.state, 'idle');
    assert.deepEqual(session.view.usage, { promptTokens: 5, completionTokens: 2 });
    assert.deepEqual(
      (await bench.entries()).map(({ v: _v, id: _id, parentId: _parentId, seq: _seq, ts: _ts, ...body }) => body),
      [
        {
          type: 'system_message',
          workspace: 'file:///w',
          systemPrompt: 'Be brief.',
          model: 'scripted',
          baseUrl: 'http://localhost:8080',
        },
        { type: 'title', title: 'Hi' },
        { type: 'status_update', status: 'RUNNING' },
        { type: 'user_message', text: 'Hi\nthere', contextLabels: [], content: 'Hi\nthere', origin: 'prompt' },
        {
          type: 'assistant_message',
          content: [{ type: 'text', text: 'Hello.' }],
          stopReason: 'stop',
          responseId: 'response',
          model: 'scripted',
          usage: { promptTokens: 5, completionTokens: 2 },
        },
        { type: 'status_update', status: 'FINISHED' },
      ],
    );
    assert.equal(bench.storage.steps.at(-1), 'sync');
    assert.deepEqual(bench.internalErrors, []);
  });

  it('sends context of the editor before the question, and shows its label', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('It adds.'));
    await session.submit({ text: 'Explain', context: [{ label: 'a.ts:1-2', content: 'Selected in a.ts: …' }] });
    await session.whenIdle();
    assert.deepEqual(bench.requests[0]?.messages, [{ role: 'user', content: 'Selected in a.ts: …\n\nExplain' }]);
    const [prompt] = session.view.items;
    assert.deepEqual(prompt?.kind === 'prompt' && [prompt.text, prompt.contextLabels], ['Explain', ['a.ts:1-2']]);
  });

  it("begins the first prompt of a conversation, and no other, with the project's rules, and shows that", async () => {
    const bench = new SessionBench();
    const asked: (number | undefined)[] = [];
    const rules = rulesOf({ '/w/AGENTS.md': 'Use tabs.' });
    bench.projectRules = {
      ...rules,
      read: async (window) => {
        asked.push(window);
        return rules.read(window);
      },
    };
    const [told] = await rules.read(undefined);
    const session = await bench.open(textResponse('Yes.'), textResponse('Still.'));
    await session.submit({ text: 'Hi', context: [{ label: 'a.ts:1', content: 'Selected.' }] });
    await session.whenIdle();
    await session.submit({ text: 'And now?' });
    await session.whenIdle();
    assert.deepEqual(
      bench.requests.map(({ messages }) => messages.at(-1)?.content),
      [`${told?.content}\n\nSelected.\n\nHi`, 'And now?'],
    );
    assert.equal(asked.length, 1);
    const labels = () => session.view.items.flatMap((item) => (item.kind === 'prompt' ? [item.contextLabels] : []));
    assert.deepEqual(labels(), [['AGENTS.md', 'a.ts:1'], []]);
    assert.equal(session.view.title, 'Hi');
    const reopened = await bench.open();
    assert.deepEqual(reopened.view.items.slice(0, 1), session.view.items.slice(0, 1));

    // Taken back to before everything, the next prompt is the first one.
    const [first] = session.view.items;
    assert.ok(first);
    session.goTo({ before: first.id });
    bench.provider.add(textResponse('Anew.'));
    await session.submit({ text: 'Again' });
    await session.whenIdle();
    assert.equal(bench.requests.at(-1)?.messages.at(-1)?.content, `${told?.content}\n\nAgain`);
  });

  it('ignores a blank prompt', async () => {
    const bench = new SessionBench();
    const session = await bench.open();
    await session.submit({ text: ' \n ' });
    assert.deepEqual([session.view.items, bench.events, await bench.entries()], [[], [], []]);
  });

  it('has the intent on the disk before a tool runs, and its result after', async () => {
    const bench = new SessionBench();
    const session = await bench.open(
      response([{ type: 'text', text: 'Running.' }, toolUse('c1', 'run', { command: 'ls' })]),
      textResponse('Done.'),
    );
    const stepsAtRun: (string | undefined)[] = [];
    const push = bench.done.push.bind(bench.done);
    bench.done.push = (...items) => {
      stepsAtRun.push(...bench.storage.steps.slice(-2));
      return push(...items);
    };
    await session.submit({ text: 'Run ls' });
    await session.whenIdle();

    assert.deepEqual(stepsAtRun, ['write tool_call', 'sync']);
    assert.deepEqual(await bench.entryTypes(), [
      'system_message',
      'title',
      'RUNNING',
      'user_message',
      'assistant_message',
      'tool_call',
      'tool_result',
      'assistant_message',
      'FINISHED',
    ]);
    assert.deepEqual(outline(session.view), [
      'prompt: Run ls',
      'text: Running.',
      'run succeeded: ran ls',
      'text: Done.',
    ]);
  });

  it('waits for approval and continues', async () => {
    const bench = new SessionBench();
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]), textResponse('Done.'));
    const states: string[] = [];
    session.onEvent((event) => {
      if (event.type === 'state_changed') states.push(event.state);
      if (event.type === 'approval_requested' && event.approval.kind === 'command')
        states.push(`asks ${event.approval.command}`);
      if (event.type === 'approval_resolved') states.push(event.outcome);
    });
    await session.submit({ text: 'Run ls' });
    await session.whenIdle();
    assert.deepEqual(states, ['running', 'asks "ls"', 'waiting_for_approval', 'allowed', 'running', 'idle']);
    assert.equal(bench.approver.requests[0]?.sessionId, 'session');
  });

  it('gives the reason of a denial to the model and keeps it with the call', async () => {
    const bench = new SessionBench();
    bench.approver.decisions.push({ action: 'deny', reason: 'not now' });
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]), textResponse('Fine.'));
    await session.submit({ text: 'Run ls' });
    await session.whenIdle();
    const item = session.view.items[1];
    assert.deepEqual(item?.kind === 'tool' && [item.state, item.approvalOutcome, item.denialReason, item.approval], [
      'denied',
      'denied',
      'not now',
      undefined,
    ]);
    assert.match(bench.newestRequest, /not now/);
    assert.deepEqual(bench.done, []);
  });

  it('counts an approver that fails as a denial', async () => {
    const bench = new SessionBench();
    bench.approver.decisions.push(() => Promise.reject(new Error('no screen')));
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]), textResponse('Fine.'));
    await session.submit({ text: 'Run ls' });
    await session.whenIdle();
    assert.deepEqual(bench.done, []);
    assert.match(bench.newestRequest, /The question could not be asked: no screen/);
  });

  it('withdraws the question when it is stopped, even if the approver does not answer', async () => {
    const bench = new SessionBench();
    const asked = hold();
    bench.approver.decisions.push(async () => {
      await asked.wait(new AbortController().signal);
      return { action: 'allow' };
    });
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]));
    await session.submit({ text: 'Run ls' });
    await asked.reached;
    assert.equal(session.view.state, 'waiting_for_approval');
    await session.stop();
    asked.release();
    assert.equal(session.view.state, 'idle');
    assert.deepEqual(bench.done, []);
    const item = session.view.items[1];
    assert.deepEqual(item?.kind === 'tool' && [item.state, item.approvalOutcome], ['interrupted', 'expired']);
    assert.equal((await bench.entryTypes()).at(-1), 'CANCELED');
  });

  it('keeps the partial answer when it is stopped, and can be used again', async () => {
    const bench = new SessionBench();
    const middle = hold();
    const session = await bench.open(
      [{ type: 'text_delta', block: 0, text: 'Once upon' }, middle],
      textResponse('The end.'),
    );
    await session.submit({ text: 'Tell' });
    await middle.reached;
    const stopped = session.stop();
    assert.equal(session.view.state, 'stopping');
    await stopped;
    await session.stop();
    assert.deepEqual(outline(session.view), ['prompt: Tell', 'text (interrupted): Once upon']);
    await session.submit({ text: 'Go on' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view).slice(2), ['prompt: Go on', 'text: The end.']);
  });

  it('sends a prompt that came before there was a client', async () => {
    const bench = new SessionBench();
    const creating = hold();
    bench.beforeClient = () => creating.wait(new AbortController().signal);
    const session = await bench.open(textResponse('One.'), textResponse('Two.'));
    await session.submit({ text: 'first' });
    await creating.reached;
    await session.submit({ text: 'second' });
    creating.release();
    await session.whenIdle();
    assert.deepEqual(outline(session.view), ['prompt: first', 'text: One.', 'steer: second', 'text: Two.']);
    assert.match(bench.newestRequest, /"second"/);
  });

  it('keeps the prompt when there is no client, and repeats it once on Retry', async () => {
    const bench = new SessionBench();
    bench.beforeClient = () => Promise.reject(new AgentError(refused));
    const session = await bench.open(textResponse('Hello.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view), [
      'prompt: Hi',
      'notice [retry, checkServer, openSettings, showLog]: Nothing answers at http://localhost:8080/v1.',
    ]);
    assert.deepEqual(await bench.entryTypes(), ['system_message', 'title', 'user_message', 'error', 'ERROR']);

    await session.retry();
    await session.whenIdle();
    assert.deepEqual(outline(session.view), ['prompt: Hi', 'text: Hello.']);
    assert.deepEqual(bench.requests[0]?.messages, [{ role: 'user', content: 'Hi' }]);
    assert.deepEqual(bench.internalErrors, []);
  });

  it('keeps the prompt when the request fails, and repeats it once on Retry', async () => {
    const bench = new SessionBench();
    const unknownModel = { code: 'not_found', message: 'There is no model "x" at http://localhost:8080/v1.' } as const;
    const session = await bench.open(failure(unknownModel), textResponse('Hello.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view), [
      'prompt: Hi',
      'notice [selectModel, openSettings, retry]: There is no model "x" at http://localhost:8080/v1.',
    ]);
    assert.deepEqual(
      bench.events.filter(({ type }) => type === 'failed').map((event) => event.type === 'failed' && event.error),
      [unknownModel],
    );
    await session.retry();
    await session.whenIdle();
    assert.deepEqual(bench.requests[1]?.messages, [{ role: 'user', content: 'Hi' }]);
    assert.deepEqual(outline(session.view), ['prompt: Hi', 'text: Hello.']);
  });

  it('can be stopped while there is no client yet; the prompt stays', async () => {
    const bench = new SessionBench();
    const creating = hold();
    bench.beforeClient = () => creating.wait(new AbortController().signal);
    const session = await bench.open(textResponse('Hello.'));
    await session.submit({ text: 'Hi' });
    await creating.reached;
    await session.stop();
    creating.release();
    assert.equal(session.view.state, 'idle');
    assert.deepEqual(await bench.entryTypes(), ['system_message', 'title', 'user_message', 'CANCELED']);
    await session.continueRun();
    await session.whenIdle();
    assert.deepEqual(bench.requests[0]?.messages, [{ role: 'user', content: 'Hi' }]);
  });

  it('offers to continue at the limit', async () => {
    const bench = new SessionBench();
    bench.maxToolIterations = 1;
    const session = await bench.open(response([toolUse('c1', 'read', { path: 'a' })]), textResponse('It says a.'));
    await session.submit({ text: 'Read a' });
    await session.whenIdle();
    assert.match(outline(session.view).at(-1) ?? '', /^notice \[continue, openSettings\]: .* Continue\?$/);
    assert.equal((await bench.entryTypes()).at(-1), 'IDLE');
    await session.continueRun();
    await session.whenIdle();
    assert.deepEqual(outline(session.view), ['prompt: Read a', 'read succeeded: text of a', 'text: It says a.']);
    assert.equal(bench.requests[1]?.messages.length, 3);
  });

  it('begins a new epoch with a new client when settings change, but not while a run is going', async () => {
    const bench = new SessionBench();
    const middle = hold();
    const session = await bench.open([middle, ...textResponse('One.')], textResponse('Two.'), textResponse('Three.'));
    await session.submit({ text: 'first' });
    await middle.reached;
    bench.model = 'other';
    session.reconfigure();
    middle.release();
    await session.whenIdle();
    assert.equal(bench.clientCount, 1);
    await session.submit({ text: 'second' });
    await session.whenIdle();
    await session.submit({ text: 'third' });
    await session.whenIdle();
    assert.equal(bench.clientCount, 2);
    assert.deepEqual(
      bench.requests.map(({ model }) => model),
      ['scripted', 'other', 'other'],
    );
    const epochs = (await bench.entries()).filter(({ type }) => type === 'epoch');
    assert.deepEqual(
      epochs.map((entry) => entry.type === 'epoch' && [entry.reason, entry.model]),
      [['settings', 'other']],
    );
  });

  it('continues in memory while the disk is full, and says so until it is not', async () => {
    const bench = new SessionBench();
    bench.storage.fault = (step) => {
      if (step === 'write') throw new Error('ENOSPC: no space left on device');
      return undefined;
    };
    const session = await bench.open(textResponse('One.'), textResponse('Two.'));
    await session.submit({ text: 'first' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view), [
      'prompt: first',
      'notice [showLog]: This session cannot be saved: ENOSPC: no space left on device. It continues in memory. Open Agent keeps trying to save it.',
      'text: One.',
    ]);
    bench.storage.fault = undefined;
    await session.submit({ text: 'second' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view), ['prompt: first', 'text: One.', 'prompt: second', 'text: Two.']);
    assert.deepEqual(await bench.entryTypes(), [
      ...['system_message', 'title', 'RUNNING', 'user_message', 'assistant_message', 'FINISHED'],
      ...['RUNNING', 'user_message', 'assistant_message', 'FINISHED'],
    ]);
  });

  it('reports malformed chunks and continues', async () => {
    const bench = new SessionBench();
    const session = await bench.open([{ type: 'malformed_chunk', text: '{"cho' }, ...textResponse('Hello.')]);
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.deepEqual(outline(session.view).slice(0, 2), ['prompt: Hi', 'text: Hello.']);
    assert.match(outline(session.view)[2] ?? '', /^notice \[showLog\]: .*\{"cho/);
  });

  it('keeps the others informed when a listener throws', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('Hello.'));
    const heard: string[] = [];
    session.onEvent(() => {
      throw new Error('listener');
    });
    const subscription = session.onEvent(({ type }) => heard.push(type));
    await session.submit({ text: 'Hi' });
    subscription.dispose();
    await session.whenIdle();
    assert.deepEqual(heard, ['prompt_added', 'state_changed']);
    assert.ok(bench.internalErrors.length > 2);
    assert.deepEqual(outline(session.view), ['prompt: Hi', 'text: Hello.']);
  });

  it('dismisses a notice', async () => {
    const bench = new SessionBench();
    const session = await bench.open(failure(refused));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    session.dismissNotice(session.view.items[1]?.id ?? '');
    session.dismissNotice('unknown');
    assert.deepEqual(outline(session.view), ['prompt: Hi']);
  });

  it('stops one tool and lets the run go on', async () => {
    const bench = new SessionBench();
    const asked = hold();
    bench.approver.decisions.push(async () => {
      await asked.wait(new AbortController().signal);
      return { action: 'allow' };
    });
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]), textResponse('Stopped.'));
    await session.submit({ text: 'Run ls' });
    await asked.reached;
    session.stopTool('unknown');
    session.stopTool('c1');
    await session.whenIdle();
    assert.deepEqual(bench.done, []);
    assert.equal(outline(session.view).at(-1), 'text: Stopped.');
  });

  it('is closed after dispose, which can be called again', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('Hello.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await Promise.all([session.dispose(), session.dispose()]);
    assert.equal(bench.storage.openFileCount, 0);
    await assert.rejects(session.submit({ text: 'late' }), /The session session is closed/);
    assert.ok(bench.storage.text(sessionFile).endsWith('"FINISHED"}\n'));
  });
});
