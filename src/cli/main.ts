import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../package.json';
import { parseAgents, parseProfiles } from '../agent/agentDefinition';
import { parseAgentSettings } from '../agent/agentSettings';
import { chooseAgent, type AgentConfiguration } from '../agent/chooseAgent';
import { createAgent } from '../agent/createAgent';
import type { CreateClient } from '../agent/createClient';
import { noRules, readRuleTexts, RuleStore } from '../agent/approval/ruleStore';
import { UnseenEdits } from '../agent/approval/unseenEdits';
import type { Approver } from '../agent/approval/approver';
import { FileClaims } from '../agent/fileClaims';
import { KeyStore, memorySecrets } from '../agent/servers/keys';
import { LearnedQuirks } from '../agent/servers/learnedQuirks';
import { SlotQueue } from '../agent/servers/slotQueue';
import { SessionRegistry } from '../agent/sessionRegistry';
import { parseConnectionSettings, readSettingsObject } from '../sdk/configuration';
import { createFetch } from '../sdk/model/httpTransport';
import type { McpTool } from '../mcp/mcpTool';
import { parseMcpServers } from '../mcp/serverConfig';
import { createNodePorts } from '../workspace/node/createNodePorts';
import { createNodeCommandWorld } from '../workspace/node/nodeCommandWorld';
import {
  parseArguments,
  usage,
  type CliSettings,
  type DoctorArguments,
  type RunArguments,
  type ServeArguments,
} from './arguments';
import { chat } from './chat';
import { doctor } from './doctor';
import { openMcp } from './mcp';
import { createSessionRenderer } from './renderSession';
import { exitCodes, runPrompt } from './runPrompt';
import { serve } from './serve';
import { openTerminal, type Terminal, type TerminalStreams } from './terminal';
import { createTerminalApprover } from './terminalApprover';
export interface CliProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the command was started. */
  readonly cwd: string;
  readonly homeDirectory: string;
  readonly platform: string;
  readonly stdin: TerminalStreams['input'] & { readonly isTTY?: boolean | undefined };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
}

/** The command line, from arguments to exit code. */
export async function main(cli: CliProcess): Promise<number> {
  const { argv, env, stdout, stderr } = cli;
  const settings = await readSettings(cli.homeDirectory);
  if (!settings.ok) {
    stderr.write(`${settings.message}\n`);
    return exitCodes.wrongUsage;
  }
  const parsed = parseArguments(argv, env, settings.values);
  switch (parsed.kind) {
    case 'help':
      stdout.write(usage);
      return exitCodes.completed;
    case 'version':
      stdout.write(`open-agent ${version}\n`);
      return exitCodes.completed;
    case 'wrong':
      stderr.write(`${parsed.message}\nSee open-agent --help.\n`);
      return exitCodes.wrongUsage;
    case 'run':
      for (const problem of settings.problems) stderr.write(`Warning: ${problem}\n`);
      return run(parsed, settings.values, cli);
    case 'serve':
      for (const problem of settings.problems) stderr.write(`Warning: ${problem}\n`);
      return serveFolder(parsed, settings.values, cli);
    case 'doctor':
      return check(parsed, cli);
    default:
      return parsed satisfies never;
  }
}

function check(given: DoctorArguments, cli: CliProcess): Promise<number> {
  const { stdout, stderr, signal } = cli;
  const log = (text: string): void => void stderr.write(text);
  if (given.warning !== undefined) log(`Warning: ${given.warning}\n`);
  return doctor(given, { fetch: fetchFor(given, cli), print: (text) => void stdout.write(text), log, signal });
}

async function serveFolder(given: ServeArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const log = (text: string): void => void cli.stderr.write(text);
  if (given.warning !== undefined) log(`Warning: ${given.warning}\n`);
  const folder = path.resolve(cli.cwd, given.cwd ?? '.');
  if (!(await isFolder(folder))) {
    log(`${folder} is not a folder.\n`);
    return exitCodes.wrongUsage;
  }
  const { createClient, configuration } = await openAgent(given, cli, { settings, folder, log });
  return serve(given, {
    folder,
    createClient,
    permissionMode: () => configuration.permissionMode,
    print: (text) => void cli.stdout.write(text),
    log,
    signal: cli.signal,
  });
}

function fetchFor({ ca }: Pick<RunArguments, 'ca'>, { cwd }: CliProcess): typeof fetch {
  return createFetch({ ca: ca === '' ? undefined : path.resolve(cwd, ca) });
}

async function run(given: RunArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const { stdin, stdout, stderr } = cli;
  const log = (text: string): void => void stderr.write(text);
  if (given.warning !== undefined) log(`Warning: ${given.warning}\n`);

  const folder = path.resolve(cli.cwd, given.cwd ?? '.');
  if (!(await isFolder(folder))) {
    log(`${folder} is not a folder.\n`);
    return exitCodes.wrongUsage;
  }
  // Questions go where the log goes, so that the answer can be piped on.
  const hasTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const prompt = given.prompt ?? (stdin.isTTY === true ? undefined : await readAll(stdin));
  if (prompt?.trim() === '') {
    log('There is no prompt: standard input was empty. See open-agent --help.\n');
    return exitCodes.wrongUsage;
  }
  if (prompt === undefined && !hasTerminal) {
    log('A conversation needs a terminal for input and messages; give a prompt with -p.\n');
    return exitCodes.wrongUsage;
  }

  const terminal = hasTerminal ? openTerminal({ input: stdin, output: stderr }) : undefined;
  const approver = createTerminalApprover({ terminal, print: log });
  const mcp = settings.mcp?.length
    ? openMcp({
        servers: settings.mcp,
        terminal,
        log,
        fetch: fetchFor(given, cli),
        homeDirectory: cli.homeDirectory,
        folder,
        pinFile: path.join(cli.homeDirectory, '.open-agent', 'mcp-servers.json'),
        signal: cli.signal,
      })
    : undefined;
  const registry = await openSessions(given, cli, { settings, folder, approver, log, mcpTools: mcp?.tools });
  const renderer = createSessionRenderer({
    answer: (text) => void stdout.write(text),
    log,
    isTerminal: stdout.isTTY === true,
  });
  try {
    if (prompt !== undefined) {
      const signal = untilInterrupted(cli.signal, terminal);
      return await runPrompt(prompt, { session: await registry.create(), renderer, approver, signal });
    }
    if (terminal) {
      // Whoever ends the process need not wait for an answer, or type one.
      const end = (): void => {
        terminal.dispose();
        registry.dispose().catch((error: unknown) => log(`Internal error: ${String(error)}\n`));
      };
      cli.signal.addEventListener('abort', end, { once: true });
      await chat({ terminal, renderer, print: log, createSession: () => registry.create() });
    }
    return cli.signal.aborted ? exitCodes.interrupted : exitCodes.completed;
  } finally {
    terminal?.dispose();
    await registry.dispose();
    await mcp?.dispose();
  }
}

type Settings =
  | { readonly ok: true; readonly values: CliSettings; readonly problems: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** A file that cannot be read may name the server the person means: going on without it could send code elsewhere. */
async function readSettings(homeDirectory: string): Promise<Settings> {
  try {
    const file = path.join(homeDirectory, '.open-agent', 'settings.json');
    const written = await readSettingsObject(file);
    const { profiles, problems } = parseProfiles(written['profiles']);
    const { agents, problems: agentProblems } = parseAgents(written['agents'], profiles);
    const rules = readRuleTexts(written['rules']);
    const { servers: mcp, problems: mcpProblems } = parseMcpServers(written['mcp']);
    const values = { ...parseConnectionSettings(written, file), profiles, agents, rules, mcp };
    return { ok: true, values, problems: [...problems, ...agentProblems, ...mcpProblems] };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

interface SessionParts {
  readonly settings: CliSettings;
  readonly folder: string;
  readonly approver: Approver;
  readonly log: (text: string) => void;
  readonly mcpTools?: (() => Promise<readonly McpTool[]>) | undefined;
}

async function openSessions(given: RunArguments, cli: CliProcess, parts: SessionParts): Promise<SessionRegistry> {
  const { createClient, configuration, onInternalError } = await openAgent(given, cli, parts);
  return new SessionRegistry({
    directory: path.join(cli.homeDirectory, '.open-agent', 'sessions'),
    claims: new FileClaims(),
    createClient,
    approver: parts.approver,
    workspace: pathToFileURL(parts.folder).href,
    permissionMode: () => configuration.permissionMode,
    onInternalError,
  });
}

type AgentArguments = Omit<RunArguments, 'kind' | 'prompt'>;

interface OpenAgent {
  readonly createClient: CreateClient;
  readonly configuration: AgentConfiguration;
  readonly onInternalError: (error: unknown) => void;
}

async function openAgent(
  given: AgentArguments,
  cli: CliProcess,
  parts: Omit<SessionParts, 'approver'>,
): Promise<OpenAgent> {
  const { folder, log } = parts;
  const configuration = configurationOf(given, parts.settings);
  const keys = new KeyStore({ secrets: memorySecrets() });
  if (given.key) {
    const kept = await keys.set(given.key.baseUrl, given.key.value);
    if (!kept.ok) log(`Warning: OPEN_AGENT_API_KEY is not used: ${kept.error}\n`);
  }
  const onInternalError = (error: unknown): void =>
    log(`Internal error: ${error instanceof Error ? error.message : String(error)}\n`);
  const root = { name: path.basename(folder) || folder, path: folder };
  const { rules: texts = noRules } = parts.settings;
  const rules = new RuleStore({
    userSettings: () => ({ ...texts, allow: [...texts.allow, ...(given.allow ?? [])] }),
    onInternalError,
  });
  for (const problem of rules.problems) log(`Warning: ${problem}\n`);
  const createClient = createAgent({
    rules,
    mcpTools: parts.mcpTools,
    unseenEdits: new UnseenEdits({ onInternalError }),
    settings: () => configuration,
    ports: createNodePorts(),
    commandMachine: createNodeCommandWorld(),
    roots: () => [root],
    // Whoever starts it in a folder means that folder; edits and commands that do more than read ask all the same.
    isTrusted: () => true,
    keys,
    slots: new SlotQueue(),
    quirks: new LearnedQuirks({ now: Date.now }),
    fetch: fetchFor(given, cli),
    platform: cli.platform,
  });
  return { createClient, configuration, onInternalError };
}

/** What was given names server and model already, the profile's and the agent's included. */
function configurationOf(given: AgentArguments, { profiles = [], agents = [] }: CliSettings): AgentConfiguration {
  const { baseUrl, model, profile = '', agent = '', permissionMode } = given;
  const { settings } = parseAgentSettings({ baseUrl, model });
  const overrides = model === '' ? {} : { model };
  return chooseAgent({ ...settings, profiles, agents }, { profile, agent, permissionMode, baseUrl, overrides })
    .configuration;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    // Nothing there, or nothing that may be looked at: no folder to work in either way.
    return false;
  }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

/** Aborted by the process's signal or by Ctrl+C at a terminal that reads keys itself. */
function untilInterrupted(signal: AbortSignal, terminal: Terminal | undefined): AbortSignal {
  const controller = new AbortController();
  terminal?.onInterrupt(() => controller.abort());
  return AbortSignal.any([signal, controller.signal]);
}
