import assert from 'node:assert/strict';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import { openCheckedAgent, type CheckedAgent } from '../../support/sessions/checkedAgent';
import { outline } from '../../support/sessions/sessions';

const files = { 'a.txt': 'one\n', Makefile: 'test:\n\t@grep -q good a.txt\n' };
const write = (content: string) => ({ toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content } }] });
const run = (command: string) => ({ toolCalls: [{ name: 'run_terminal_command', arguments: { command } }] });
const FAILED = 'Tests ran after the last change: make test, exit code 2.';
const STALE = 'Tests ran before the last edit: make test, exit code 0.';
const AFTER = 'If something is left to do, do it now. If not, say what was not checked.';

describe('what a run checked', () => {
  let agent: CheckedAgent;

  beforeEach(async () => {
    agent = await openCheckedAgent({ files });
  });
  afterEach(() => agent[Symbol.asyncDispose]());

  const ask = async (session: AgentSession, text: string): Promise<void> => {
    await session.submit({ text });
    await session.whenIdle();
  };
  const notices = (session: AgentSession) => outline(session.view).filter((line) => line.startsWith('notice'));
  const told = () =>
    agent.server.completions.flatMap(({ body }) => {
      const last = body.messages.at(-1);
      return last?.role === 'user' ? [String(last.content).replace(/^\[.*\]\n\n/s, '')] : [];
    });

  it('is told to a model that wants to end: once, and as the newest message', async () => {
    const session = await (await agent.open()).create();
    agent.server.script(write('bad\n'), run('make test'), { text: 'All tests pass.' }, { text: 'They fail.' });
    await ask(session, 'Go');
    assert.deepEqual(told().slice(1), [`${FAILED} ${AFTER}`]);
    assert.deepEqual(notices(session), [
      `notice []: Told the model: ${FAILED} ${AFTER}`,
      `notice [reviewRun, keepRun, undoRun]: Changed one file, ran one command.\na.txt +1 −1\n${FAILED}`,
    ]);
    // The requests only grew at their end.
    const bodies = agent.server.completions.map(({ body }) => body.messages.map((message) => JSON.stringify(message)));
    for (const [index, messages] of bodies.entries()) {
      const before = bodies[index - 1] ?? [];
      assert.deepEqual(messages.slice(0, before.length), before);
    }
  });

  it('is told when the check is older than the last edit, and lets the model mend it', async () => {
    const session = await (await agent.open()).create();
    agent.server.script(write('good\n'), run('make test'), write('good too\n'), { text: 'Done.' }, run('make test'), {
      text: 'Checked.',
    });
    await ask(session, 'Go');
    assert.deepEqual(told().slice(1), [`${STALE} ${AFTER}`]);
    assert.match(notices(session).at(-1) ?? '', /Tests ran after the last change: make test, exit code 0\.$/);
  });

  it('is not told after a passing check, without one, or in a run without changes', async () => {
    const session = await (await agent.open()).create();
    agent.server.script(write('good\n'), { text: 'Done.' }, run('make test'), { text: 'They pass.' });
    await ask(session, 'Change it');
    await ask(session, 'Test it');
    assert.equal(told().length, 2);
    agent.server.script(write('good and new\n'), { text: 'Done.' }, { text: 'Not tested since.' });
    await ask(session, 'Change it again');
    assert.deepEqual(told().slice(-1), [`${STALE} ${AFTER}`]);
  });

  it('stands after a reload, until the person has seen it', async () => {
    const session = await (await agent.open()).create();
    agent.server.script(write('bad\n'), run('make test'), { text: 'All pass.' }, { text: 'No.' });
    await ask(session, 'Go');
    const live = outline(session.view);

    const reloaded = await (await agent.open()).open(session.id);
    assert.deepEqual(outline(reloaded.view), live);
    const summary = reloaded.view.items.at(-1);
    reloaded.dismissNotice(summary?.id ?? '');
    const again = await (await agent.open()).open(session.id);
    assert.deepEqual(outline(again.view), live.slice(0, -1));
  });
});
