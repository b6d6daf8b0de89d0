import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from '../../../src/workspace/ports';
import { UnseenEdits } from '../../../src/agent/approval/unseenEdits';
import { RuleStore } from '../../../src/agent/approval/rules/ruleStore';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { findRestoreMove, planRestoreOf } from '../../../src/agent/restore/planRestore';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import { FileClaims } from '../../../src/agent/session/fileClaims';
import { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { restoreFiles } from '../../../src/workspace/checkpoints/restoreFiles';
import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../../src/workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../../src/workspace/node/checkpoints/workspaceScanner';
import { createNodeCommands } from '../../../src/workspace/node/commands/createNodeCommands';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createDraftRecords } from '../../../src/workspace/node/files/draftRecords';
import { createJsonEvents } from '../../../src/cli/prompt/jsonEvents';

/**
 * A separate process for a test to kill: the agent as a window composes it (`src/host/sessions/openSessions.ts`), with plain
 * Node instead of VS Code. It continues the newest session or begins one, sends the prompt, and allows everything. With
 * `restore` it then goes back to before its first prompt. Prints the events that the panel gets, as the command line does.
 */
async function main(storage: string, workspace: string, baseUrl: string, prompt: string, then: string): Promise<void> {
  const onInternalError = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
  const roots = (): readonly Root[] => [{ name: 'ws', path: workspace }];
  const drafts = createDraftRecords(path.join(storage, 'drafts'));
  await drafts.clearUp(Date.now());
  const commands = createNodeCommands({
    outputsDirectory: path.join(storage, 'outputs'),
    recordsDirectory: path.join(storage, 'running-commands'),
    onInternalError,
  });
  const access = {
    ports: { ...createNodePorts(drafts), ...commands.ports },
    roots,
    commandOptions: () => ({ inTerminal: false }),
  };
  const { fileSystem } = access.ports;
  const blobs = createBlobFolder(path.join(storage, 'checkpoints'));
  await blobs.prune({ maxAgeMs: 1e12, maxBytes: 1e12 }, Date.now());
  const contents = createFileContents(fileSystem, drafts);
  const scanner = createWorkspaceScanner({ roots, blobs, ownFolder: storage });
  const settings = { ...defaultAgentSettings, baseUrl, model: 'm' };
  const registry = new SessionRegistry({
    directory: path.join(storage, 'sessions'),
    claims: new FileClaims(),
    createClient: createAgent({
      settings: () => settings,
      ...access,
      isTrusted: () => true,
      keys: new KeyStore({ secrets: memorySecrets() }),
      slots: new SlotQueue(),
      rules: new RuleStore({ userSettings: () => ({ allow: [], ask: [], deny: [] }), onInternalError }),
      unseenEdits: new UnseenEdits({ onInternalError }),
      checkpoints: { blobs, contents, scanner, onInternalError },
      commandMachine: createNodeCommandWorld(),
      fetch: createFetch(),
      platform: 'linux',
    }),
    approver: { ask: async () => ({ action: 'allow' }) },
    workspace: pathToFileURL(workspace).href,
    onInternalError,
  });
  const [newest] = await registry.list();
  const session = newest ? await registry.open(newest.id) : await registry.create();
  const write = (line: string): void => void process.stdout.write(line);
  session.onEvent(createJsonEvents({ write, now: Date.now, target: () => ({ model: 'm', baseUrl }) }).show);
  await session.submit({ text: prompt });
  await session.whenIdle();
  if (then === 'restore') await restore(session);
  await registry.dispose();
  await commands.ports.backgroundCommands.dispose();

  async function restore({ entries, checkpointsSince, recordCheckpoint }: AgentSession): Promise<void> {
    const first = entries.find(({ type }) => type === 'user_message')?.id ?? '';
    const plan = await planRestoreOf(checkpointsSince.call(session, first), { contents, fileSystem, roots: roots() });
    await restoreFiles(plan, 'before', {
      blobs,
      contents,
      record: (checkpoint) => recordCheckpoint.call(session, checkpoint),
      findMove: (item) => findRestoreMove(item, { fileSystem, roots: roots() }),
    });
  }
}

const [, , storage = '', workspace = '', baseUrl = '', prompt = '', then = ''] = process.argv;
void main(storage, workspace, baseUrl, prompt, then);
