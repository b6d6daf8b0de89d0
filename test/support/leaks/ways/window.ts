import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApprovalRequest } from '../../../../src/agent/approval/approver';
import { RuleStore } from '../../../../src/agent/approval/rules/ruleStore';
import { UnseenEdits } from '../../../../src/agent/approval/unseenEdits';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { createAgent } from '../../../../src/agent/configuration/createAgent';
import { readMentions } from '../../../../src/agent/context/mentions';
import { createProjectRules } from '../../../../src/agent/context/projectRules';
import { KeyStore, memorySecrets } from '../../../../src/agent/servers/keys';
import { SlotQueue } from '../../../../src/agent/servers/model/slotQueue';
import { FileClaims } from '../../../../src/agent/session/fileClaims';
import { SessionRegistry } from '../../../../src/agent/session/sessionRegistry';
import { OutputLog } from '../../../../src/host/outputLog';
import { createRipgrepTextSearch } from '../../../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { createFetch } from '../../../../src/sdk/model/http/httpTransport';
import { createBlobFolder } from '../../../../src/workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../../../src/workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../../../src/workspace/node/checkpoints/workspaceScanner';
import { createNodeCommands } from '../../../../src/workspace/node/commands/createNodeCommands';
import { createNodeCommandWorld } from '../../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodePorts } from '../../../../src/workspace/node/createNodePorts';
import type { WorkspaceAccess } from '../../../../src/workspace/tools/workspaceAccess';
import { installedRipgrep } from '../installedRipgrep';
import type { Question } from '../leakCase';
import { PROMPT_TEXT, type RunWay } from './way';

/**
 * The agent as the window composes it (`src/host/sessions/openSessions.ts`), with plain Node instead of VS Code's buffers:
 * sessions on disk, mentions, project rules, ripgrep, checkpoints, remembered rules, a log.
 */
export const runInWindow: RunWay = async (given, { world, server }) => {
  const lines: string[] = [];
  const log = new OutputLog({
    create: () => ({
      info: (line: string) => void lines.push(line),
      warn: (line: string) => void lines.push(line),
      error: (line: string | Error) => void lines.push(String(line)),
      show: () => {},
      dispose: () => {},
    }),
    areContentsLogged: () => false,
  });
  const onInternalError = log.error;
  const storage = path.join(world.top, 'storage');
  const roots = () => [{ name: 'ws', path: world.workspace }];
  const nodePorts = createNodePorts();
  const ripgrepPath = given.usesRipgrep === true ? installedRipgrep() : undefined;
  const commands = createNodeCommands({
    outputsDirectory: path.join(storage, 'outputs'),
    recordsDirectory: path.join(storage, 'running-commands'),
    onInternalError,
  });
  const access: WorkspaceAccess = {
    ports: {
      ...nodePorts,
      ...commands.ports,
      ...(ripgrepPath !== undefined && {
        textSearch: createRipgrepTextSearch({
          findRipgrep: () => Promise.resolve(ripgrepPath),
          fallback: nodePorts.textSearch,
        }),
      }),
    },
    roots,
    commandOptions: () => ({ inTerminal: false }),
  };
  const blobs = createBlobFolder(path.join(storage, 'checkpoints'));
  let remembered: unknown;
  const rules = new RuleStore({
    memory: { read: () => remembered, write: async (texts) => void (remembered = texts) },
    userSettings: () => ({ allow: given.allow ?? [], ask: [], deny: [] }),
    onInternalError,
  });
  const settings = {
    ...defaultAgentSettings,
    baseUrl: server.baseUrl,
    model: 'm',
    permissionMode: given.mode,
  };
  const questions: Question[] = [];
  const offers: string[] = [];
  const registry = new SessionRegistry({
    directory: path.join(storage, 'sessions'),
    claims: new FileClaims(),
    createClient: createAgent({
      settings: () => settings,
      ...access,
      isTrusted: () => true,
      keys: new KeyStore({ secrets: memorySecrets() }),
      slots: new SlotQueue(),
      rules,
      unseenEdits: new UnseenEdits({ onInternalError }),
      checkpoints: {
        blobs,
        contents: createFileContents(access.ports.fileSystem),
        scanner: createWorkspaceScanner({ roots, blobs, ownFolder: storage }),
        onInternalError,
      },
      commandMachine: createNodeCommandWorld(),
      fetch: createFetch(),
      logger: log,
      note: (message) => log.info(message),
      platform: 'linux',
    }),
    approver: {
      ask: async (request) => {
        const question = questionOf(request);
        questions.push(question);
        offers.push(...(request.offers?.remember?.rules ?? []));
        return given.allows?.(question) === true ? { action: 'allow' } : { action: 'deny' };
      },
    },
    workspace: pathToFileURL(world.workspace).href,
    permissionMode: () => given.mode,
    projectRules: createProjectRules({ fileSystem: access.ports.fileSystem, roots, isTrusted: () => true }),
    onInternalError,
  });
  try {
    const session = await registry.create();
    const text = given.prompt ?? PROMPT_TEXT;
    try {
      const context = await readMentions(text, {
        access,
        isTaken: () => false,
        confirmSecret: async () => false,
        signal: new AbortController().signal,
      });
      await session.submit({ text, ...(context.length > 0 && { context }) });
      await session.whenIdle();
    } catch (error) {
      lines.push(`The prompt could not be sent: ${String(error)}`);
    }
  } finally {
    await registry.dispose();
    await commands.ports.backgroundCommands.dispose();
  }
  return { offers, questions, log: lines.join('\n') };
};

function questionOf({ toolName, plan, reason }: ApprovalRequest): Question {
  const about =
    plan.kind === 'command'
      ? plan.command
      : plan.kind === 'read' || plan.kind === 'edit'
        ? plan.target.displayPath
        : plan.tool;
  return { tool: toolName, about, reason };
}
