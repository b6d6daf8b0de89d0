import { stripVTControlCharacters } from 'node:util';
import type { Preparation, ToolContext, ToolOutput } from '../../../sdk/tool';
import type { CommandPlan, ReadPlan } from '../../plans';
import { foldersOnDisk } from '../../paths/roots';
import { isVirtualPath } from '../../paths/virtualPaths';
import { outputTarget } from './commandOutputs';
import { describeOutcome, describeStart } from './commandResult';
import { LiveOutput } from './liveOutput';
import { findFolder, findMoveOf, type PathAccess, type WorkspaceAccess } from '../workspaceAccess';
import { runTerminalCommandDeclaration } from '../declarations/runTerminalCommand';
import { workspaceTool } from '../workspaceTool';

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 600;

interface CommandInput {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly background?: boolean | undefined;
}

/** Runs one command line unchanged, in a new shell without input. */
export const createRunTerminalCommandTool = workspaceTool(runTerminalCommandDeclaration, {
  async prepare(input, access): Promise<Preparation<CommandPlan | ReadPlan>> {
    const stop = findStop(input, access);
    return stop ? { ok: true, plan: stop } : prepareCommand(input, access);
  },
  run: (plan, access, context) =>
    plan.kind === 'read' ? stopCommand(plan, access) : runCommand(plan, access, context),
});

async function runCommand(plan: CommandPlan, access: WorkspaceAccess, context: ToolContext): Promise<ToolOutput> {
  const { commandRunner, backgroundCommands } = access.ports;
  const moved = await findMoveOf(plan.cwd, access);
  if (moved !== undefined) return { content: moved, isError: true };
  context.signal.throwIfAborted();
  const { command, expanded, environment, confinement } = plan;
  const request = {
    command: expanded ?? command,
    cwd: plan.cwd.realPath,
    ...(environment && { environment }),
    ...(confinement && { confinement }),
  };
  if (plan.isBackground) {
    if (!backgroundCommands) return { content: NO_BACKGROUND, isError: true };
    return describeStart(await backgroundCommands.start(request, { signal: context.signal }), plan);
  }
  const live = new LiveOutput((text) => context.progress(text));
  const outcome = await commandRunner.run(
    { ...request, timeoutMs: plan.timeoutMs, ...(plan.inTerminal && { inTerminal: true }) },
    { signal: context.signal, onOutput: (text) => live.append(stripVTControlCharacters(text)) },
  );
  live.dispose();
  return describeOutcome(outcome, plan);
}

const NOTHING_ON_DISK =
  "Commands cannot run here: the workspace has no folder on this machine's disk. Use the other tools, or tell the user.";

const NO_BACKGROUND = 'Nothing can run in the background here. Run it without background, with a time limit.';

/** Where and how it is to run, or what stands against that. */
async function prepareCommand(input: CommandInput, access: PathAccess): Promise<Preparation<CommandPlan>> {
  const { command, cwd, timeout_seconds = DEFAULT_TIMEOUT_SECONDS, background = false } = input;
  if (command.trim() === '') return { ok: false, error: 'The command is empty.' };
  if (command.includes('\0')) return { ok: false, error: 'The command contains a NUL character.' };
  if (background && !access.ports.backgroundCommands) return { ok: false, error: NO_BACKGROUND };
  const onDisk = foldersOnDisk(access.roots());
  if (onDisk.length === 0 && access.roots().length > 0) return { ok: false, error: NOTHING_ON_DISK };
  const isTop = cwd === undefined || cwd === '' || cwd === '.';
  const found = await findFolder(isTop ? (onDisk[0]?.path ?? '.') : cwd, access);
  if (!found.ok) return found;
  if (isVirtualPath(found.target.realPath)) {
    const names = onDisk.map(({ name }) => name).join(', ');
    return {
      ok: false,
      error: `Commands cannot run in ${found.target.displayPath}, which is not on this machine's disk. Folders where they can: ${names}.`,
    };
  }
  const { inTerminal, confinement } = access.commandOptions();
  if (confinement) {
    const problem = access.ports.confinement
      ? await access.ports.confinement.findProblem()
      : 'this is not possible here.';
    if (problem !== undefined) {
      return { ok: false, error: `Nothing was run: commands must be confined, but ${problem} Tell the user.` };
    }
  }
  const seconds = timeout_seconds > 0 ? Math.min(timeout_seconds, MAX_TIMEOUT_SECONDS) : DEFAULT_TIMEOUT_SECONDS;
  return {
    ok: true,
    plan: {
      kind: 'command',
      command,
      cwd: found.target,
      timeoutMs: seconds * 1000,
      ...(background && { isBackground: true }),
      ...(confinement && {
        confinement: { allowsNetwork: confinement === 'workspace', writable: await realRootPaths(access) },
      }),
      // A terminal cannot be confined. Background commands are shown in the panel.
      ...(inTerminal && !confinement && !background && { inTerminal: true }),
    },
  };
}

async function realRootPaths({ ports, roots }: PathAccess): Promise<readonly string[]> {
  const paths = await Promise.all(foldersOnDisk(roots()).map(({ path }) => ports.fileSystem.realPath(path)));
  return paths.filter((path) => path !== undefined);
}

/** `stop output:…` ends a background command. It starts no program, so it needs no question. */
function findStop({ command }: CommandInput, { ports }: PathAccess): ReadPlan | undefined {
  const id = /^\s*stop\s+(output:[0-9a-f]{8})\s*$/.exec(command)?.[1];
  if (id === undefined || !ports.backgroundCommands) return undefined;
  return { kind: 'read', target: outputTarget(id), query: { stop: id } };
}

async function stopCommand({ target }: ReadPlan, { ports }: WorkspaceAccess): Promise<ToolOutput> {
  const id = target.path;
  if (await ports.backgroundCommands?.stop(id)) return { content: `Stopped. Its output stays in ${id}.` };
  return { content: `${id} is not running any more. read_file "${id}" shows its output.`, isError: true };
}
