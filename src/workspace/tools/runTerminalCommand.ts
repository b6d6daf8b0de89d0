import { stripVTControlCharacters } from 'node:util';
import { assertNever } from '../../util/assertNever';
import { tool, type Preparation, type Tool, type ToolContext, type ToolOutput } from '../../sdk/tool';
import { findMove } from '../pathGuard';
import type { CommandPlan } from '../plans';
import type { CommandOutcome } from '../ports';
import { LiveOutput } from './liveOutput';
import { findFolder, type WorkspaceAccess } from './workspaceAccess';

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 600;

/** Runs one command line as it stands, in a fresh shell without input. */
export function createRunTerminalCommandTool(access: WorkspaceAccess): Tool {
  const { commandRunner } = access.ports;
  return tool(
    'run_terminal_command',
    `Run a ${commandRunner.shellName} command without input; returns exit code and output.`,
    {
      command: 'string',
      cwd: { type: 'string', optional: true },
      timeout_seconds: {
        type: 'integer',
        description: `Default ${DEFAULT_TIMEOUT_SECONDS}, at most ${MAX_TIMEOUT_SECONDS}`,
        optional: true,
      },
    },
    {
      async prepare({ command, cwd, timeout_seconds = DEFAULT_TIMEOUT_SECONDS }): Promise<Preparation<CommandPlan>> {
        if (command.trim() === '') return { ok: false, error: 'The command is empty.' };
        if (command.includes('\0')) return { ok: false, error: 'The command contains a NUL character.' };
        const found = await findFolder(cwd === undefined || cwd === '' ? '.' : cwd, access);
        if (!found.ok) return found;
        const seconds = timeout_seconds > 0 ? Math.min(timeout_seconds, MAX_TIMEOUT_SECONDS) : DEFAULT_TIMEOUT_SECONDS;
        return { ok: true, plan: { kind: 'command', command, cwd: found.target, timeoutMs: seconds * 1000 } };
      },
      run: (plan, context) => runCommand(plan, access, context),
    },
    {
      aliases: [
        'execute_bash',
        'bash',
        'run_command',
        'execute_command',
        'shell',
        'run_shell_command',
        'terminal',
        'run_in_terminal',
        'sh',
        'exec',
        'powershell',
        'run_bash',
      ],
      parameterAliases: {
        cmd: 'command',
        command_line: 'command',
        script: 'command',
        bash_command: 'command',
        shell_command: 'command',
        code: 'command',
        working_directory: 'cwd',
        workdir: 'cwd',
        workingDirectory: 'cwd',
        directory: 'cwd',
        dir: 'cwd',
        path: 'cwd',
        timeout: 'timeout_seconds',
        timeoutSeconds: 'timeout_seconds',
      },
    },
  );
}

async function runCommand(plan: CommandPlan, access: WorkspaceAccess, context: ToolContext): Promise<ToolOutput> {
  const { commandRunner, fileSystem } = access.ports;
  const moved = await findMove(plan.cwd, { roots: access.roots(), fileSystem });
  if (moved !== undefined) return { content: moved, isError: true };
  context.signal.throwIfAborted();
  const live = new LiveOutput((text) => context.progress(text));
  const outcome = await commandRunner.run(
    {
      command: plan.command,
      cwd: plan.cwd.realPath,
      timeoutMs: plan.timeoutMs,
      ...(plan.environment && { environment: plan.environment }),
    },
    { signal: context.signal, onOutput: (text) => live.append(stripVTControlCharacters(text)) },
  );
  live.dispose();
  const output = cleanOutput(outcome.output);
  const background = outcome.endedBackground ? ['[It left processes running; they were ended.]'] : [];
  const content = [...describeEnding(outcome, plan), output === '' ? '(no output)' : output, ...background].join('\n');
  return {
    content,
    isError: outcome.ended !== 'exited' || outcome.exitCode !== 0,
    display: { ended: outcome.ended, exitCode: outcome.exitCode },
  };
}

/** The first line of the result, where there is one. */
function describeEnding(outcome: CommandOutcome, plan: CommandPlan): readonly string[] {
  switch (outcome.ended) {
    case 'exited':
      return [
        outcome.exitCode === null ? `Ended by ${outcome.signalName ?? 'a signal'}.` : `Exit code ${outcome.exitCode}.`,
      ];
    case 'timed_out':
      return [
        `Ended after ${plan.timeoutMs / 1000} s, its time limit. Give a longer timeout_seconds if it needs more. Output so far:`,
      ];
    case 'stopped':
      // Whoever stopped the call says so before what the tool says.
      return [];
    case 'failed_to_start':
      return ['The command could not be started.'];
    default:
      return assertNever(outcome.ended);
  }
}

/** Without colours and cursor movements, and of a line that was written over only what was left on the screen. */
function cleanOutput(output: string): string {
  return stripVTControlCharacters(output)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n')
    .trimEnd();
}
