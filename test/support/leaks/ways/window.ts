import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { RuleStore } from '../../../../src/agent/approval/rules/ruleStore';
import { UnseenEdits } from '../../../../src/agent/approval/unseenEdits';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { createSandboxOffer } from '../../../../src/agent/approval/sandbox/sandboxOffer';
import { createAgent } from '../../../../src/agent/configuration/createAgent';
import { readMentions } from '../../../../src/agent/context/mentions';
import { createProjectRules } from '../../../../src/agent/context/projectRules';
import { expandCommand } from '../../../../src/agent/customization/expandCommand';
import { listPromptFiles } from '../../../../src/agent/customization/promptFiles';
import { createOwnSkills } from '../../../../src/agent/customization/skills';
import { terminalContext } from '../../../../src/agent/prompts/terminal';
import { createRestoreFlow } from '../../../../src/agent/restore/restoreFlow';
import { KeyStore, memorySecrets } from '../../../../src/agent/servers/keys';
import { SlotQueue } from '../../../../src/agent/servers/model/slotQueue';
import { FileClaims } from '../../../../src/agent/session/fileClaims';
import type { AgentSession } from '../../../../src/agent/session/agentSession';
import { SessionRegistry } from '../../../../src/agent/session/sessionRegistry';
import { OutputLog } from '../../../../src/host/outputLog';
import { McpServers } from '../../../../src/mcp/mcpServers';
import { createRipgrepTextSearch } from '../../../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { createFetch } from '../../../../src/sdk/model/http/httpTransport';
import { createBlobFolder } from '../../../../src/workspace/node/checkpoints/blobFolder';
import { ordinaryRoots } from '../../../../src/workspace/paths/ordinaryRoots';
import { withDistinctNames } from '../../../../src/workspace/paths/roots';
import { removeEmptyFolders } from '../../../../src/workspace/node/checkpoints/removeEmptyFolders';
import { createFileContents } from '../../../../src/workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../../../src/workspace/node/checkpoints/workspaceScanner';
import { createNodeCommands } from '../../../../src/workspace/node/commands/createNodeCommands';
import { createNodeCommandWorld } from '../../../../src/workspace/node/commands/nodeCommandWorld';
import { systemTimer } from '../../../../src/util/timer';
import { FileNames } from '../../../../src/workspace/node/files/fileNames';
import { endTree } from '../../../../src/workspace/node/processes/endTree';
import { createNodePorts } from '../../../../src/workspace/node/createNodePorts';
import type { WorkspaceAccess } from '../../../../src/workspace/tools/workspaceAccess';
import { installedRipgrep } from '../installedRipgrep';
import { knowingNavigation } from '../knowingNavigation';
import type { LeakWindow, PersonsRules, Question } from '../leakCase';
import { readWorkspaceRules } from './workspaceSettings';
import { PROMPT_TEXT, questionOf, type RunWay } from './way';

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
  const { folders = ['ws'] } = given;
  // A `.code-workspace` file names the folders as it likes.
  const named = folders.map((folder) => ({
    name: path.basename(folder).replace(/^\..*/, 'docs'),
    path: path.join(world.top, folder),
  }));
  const opened = withDistinctNames(ordinaryRoots(named));
  const roots = () => opened;
  const nodePorts = createNodePorts();
  const ripgrepPath = given.usesRipgrep === true ? installedRipgrep() : undefined;
  const commands = createNodeCommands({
    outputsDirectory: path.join(storage, 'outputs'),
    recordsDirectory: path.join(storage, 'running-commands'),
    onInternalError,
  });
  const customFiles = {
    fileSystem: nodePorts.fileSystem,
    roots,
    isTrusted: () => true,
    ownFolder: path.join(world.home, '.open-agent'),
  };
  const access: WorkspaceAccess = {
    ports: {
      ...nodePorts,
      ...commands.ports,
      codeNavigation: await knowingNavigation(world),
      ownSkills: createOwnSkills(customFiles),
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
  const contents = createFileContents(access.ports.fileSystem);
  let remembered: unknown;
  const personsRules: PersonsRules = { allow: given.allow ?? [], ask: [], deny: [] };
  const workspaceRules = readWorkspaceRules(opened.map(({ path: folder }) => folder));
  const rules = new RuleStore({
    memory: { read: () => remembered, write: async (texts) => void (remembered = texts) },
    userSettings: () => personsRules,
    workspaceFiles: () => workspaceRules,
    onInternalError,
  });
  const settings = {
    ...defaultAgentSettings,
    baseUrl: server.baseUrl,
    model: 'm',
    permissionMode: given.mode,
    // It sends images that it reads.
    modelOptions: { m: { images: true } },
    // The server does not tell it. Long conversations are summarised.
    contextWindow: 32_768,
  };
  const questions: Question[] = [];
  const offers: string[] = [];
  const mcp = new McpServers({
    version: '0.0.0',
    homeDirectory: world.home,
    fetch: createFetch(),
    endTree,
    roots: () => [],
    pins: { get: async () => undefined, set: async () => {} },
    confirm: async () => 'allow',
    onLog: (server, line) => void lines.push(`${server}: ${line}`),
    isTrusted: () => true,
    onInternalError,
    now: () => 0,
  });
  await mcp.configure(given.mcpServers?.(world) ?? []);
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
        contents,
        scanner: createWorkspaceScanner({ roots, blobs, ownFolder: storage }),
        onInternalError,
      },
      offerSandbox: createSandboxOffer({
        ports: access.ports,
        roots,
        scanner: createWorkspaceScanner({ roots, blobs, ownFolder: storage }),
        isTrusted: () => true,
      }),
      commandMachine: createNodeCommandWorld(),
      mcp: () => mcp.offer(),
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
        return (await given.allows?.(question, personsRules)) === true ? { action: 'allow' } : { action: 'deny' };
      },
    },
    workspace: pathToFileURL(world.workspace).href,
    permissionMode: () => given.mode,
    projectRules: createProjectRules(customFiles),
    onInternalError,
  });
  async function submit(session: AgentSession, text: string): Promise<void> {
    try {
      const context = await readMentions(text, {
        access,
        isTaken: () => false,
        whyNoImages: () => undefined,
        confirmSecret: async () => false,
        signal: new AbortController().signal,
        ...(given.terminal && { sources: { terminal: { read: async () => terminalContext(given.terminal!) } } }),
      });
      const called = await expandCommand(text, {
        promptFiles: () => listPromptFiles(customFiles),
        subjectOf: async () => undefined,
        editorValues: async () => ({}),
        // The person reads the hint, and writes what the log has then.
        askInput: async ({ hint }) => (lines.push(hint), 'x'),
      });
      const whole = [...context, ...(called.kind === 'send' ? called.context : [])];
      await session.submit({ text, ...(whole.length > 0 && { context: whole }) });
      await session.whenIdle();
    } catch (error) {
      lines.push(`The message could not be sent: ${String(error)}`);
    }
  }

  const goBack: LeakWindow['goBack'] = async (session, beforeYes = async () => {}) => {
    const said: string[] = [];
    const flow = createRestoreFlow({
      checkpoints: { blobs, contents },
      fileSystem: access.ports.fileSystem,
      roots,
      removeEmptyFolders,
      dialog: {
        chooseWhat: async () => 'both',
        async chooseFiles(_label, choices) {
          said.push(...choices.map(({ place }) => place.displayPath));
          await beforeYes();
          return choices;
        },
        announceUndo: () => {},
        showProgress: (work) => work(),
        warn: (message) => void said.push(message),
      },
    });
    const prompt = session.view.items.find((item) => item.kind === 'prompt');
    if (prompt) await flow.restoreTo(session, prompt.id);
    return said;
  };

  const names = new FileNames({ roots, now: Date.now, setTimer: systemTimer });
  try {
    const session = await registry.create();
    await submit(session, given.prompt ?? PROMPT_TEXT);
    await given.afterwards?.({
      world,
      session,
      registry,
      goBack,
      suggest: (typed) => names.find(typed, 30),
      submit,
      note: (line) => void lines.push(line),
    });
  } finally {
    await registry.dispose();
    await commands.ports.backgroundCommands.dispose();
    await mcp.dispose();
  }
  return { offers, questions, log: lines.join('\n') };
};
