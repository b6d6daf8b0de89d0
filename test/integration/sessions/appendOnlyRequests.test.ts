import assert from 'node:assert/strict';
import path from 'node:path';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import type { PermissionMode } from '../../../src/agent/view/permissionModes';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createGate, ModelServer, type CompletionRequest } from '../../support/servers/modelServer';
import { nextEvent, ScriptedApprover } from '../../support/sessions/sessions';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { createRegistry } from '../../support/sessions/registry';

const read = (file: string) => ({ toolCalls: [{ name: 'read_file', arguments: { path: file } }] });
const write = (file: string) => ({ toolCalls: [{ name: 'write_file', arguments: { path: file, content: 'new\n' } }] });

describe('the requests of one epoch', () => {
  it('only grow at their end, through denial, mode change, lost trust, midnight, a stop and a reload', async () => {
    await using server = await ModelServer.start();
    await using folder = await createTemporaryFolder({ 'a.txt': 'one\n', 'b.txt': 'two é 😀\n' });
    const approver = new ScriptedApprover();
    let isTrusted = true;
    let permissionMode: PermissionMode = 'ask';
    let now = Date.parse('2026-11-21T23:59:58Z');
    const openRegistry = (): SessionRegistry =>
      createRegistry(path.join(folder.path, '.sessions'), {
        createClient: createAgent({
          settings: () => ({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm', permissionMode }),
          ports: createNodePorts(),
          roots: () => [{ name: 'app', path: folder.path }],
          isTrusted: () => isTrusted,
          keys: new KeyStore({ secrets: memorySecrets() }),
          slots: new SlotQueue(),
          fetch: createFetch(),
          platform: 'linux',
        }),
        approver,
        permissionMode: () => permissionMode,
        now: () => now,
      });
    const ask = async (session: AgentSession, text: string): Promise<void> => {
      await session.submit({ text });
      await session.whenIdle();
    };

    const registry = openRegistry();
    const session = await registry.create();
    server.script(read('a.txt'), read('b.txt'), write('c.txt'), { text: 'Not written, then.' });
    approver.decisions.push({ action: 'deny', reason: 'Not there.' });
    await ask(session, 'Write c.txt');

    now += 5_000;
    server.script(read('missing.txt'), write('d.txt'), { text: 'Written.' });
    approver.decisions.push({ action: 'allow' });
    await ask(session, 'Then d.txt');

    permissionMode = 'plan';
    server.script(write('e.txt'), { text: 'I would write e.txt.' });
    await ask(session, 'And e.txt');
    permissionMode = 'ask';

    isTrusted = false;
    server.script(read('a.txt'), { text: 'I may not read.' });
    await ask(session, 'And now?');
    isTrusted = true;

    const gate = createGate();
    server.script({ text: ['Half of ', gate, 'it.'] });
    const streamed = nextEvent(session, (event) => event.type === 'agent' && event.event.type === 'text_delta');
    await session.submit({ text: 'Tell me more' });
    await streamed;
    await session.stop();
    await registry.dispose();

    const reloaded = openRegistry();
    server.script(read('b.txt'), { text: 'That is all.' });
    await ask(await reloaded.open(session.id), 'Go on');
    await reloaded.dispose();

    assert.equal(server.completions.length, 14);
    for (const [index, request] of server.completions.entries()) {
      const before = server.completions[index - 1];
      if (before) assertGrown(before, request, `request ${index + 1}`);
    }
    const said = server.completions
      .at(-1)!
      .body.messages.flatMap(({ role, content }) =>
        role === 'user' && content?.startsWith('[Mode') ? [content.split('.', 1)[0]] : [],
      );
    assert.deepEqual(said, ['[Mode: plan', '[Mode: ask']);
    assert.equal(approver.requests.length, 2);
    assert.deepEqual(server.unexpected, []);
  });
});

/** The body up to the end of its last message is the beginning of the next body, and the tools are the same bytes. */
function assertGrown(before: CompletionRequest, after: CompletionRequest, name: string): void {
  const messages = (request: CompletionRequest): readonly string[] =>
    request.body.messages.map((message) => JSON.stringify(message));
  assert.deepEqual(messages(after).slice(0, messages(before).length), messages(before), name);
  const tools = JSON.stringify(before.body.tools);
  assert.equal(before.text.includes(tools) && after.text.includes(tools), true, `${name}: tools`);
  const opening = before.text.slice(0, before.text.indexOf(messages(before).at(-1) ?? ''));
  assert.equal(after.text.startsWith(opening), true, `${name}: bytes`);
}
