import { assertNever } from '../../../util/assertNever';
import type { ToolOutput } from '../../../sdk/tool';
import type { CommandPlan } from '../../plans';
import type { BackgroundStart, CommandOutcome } from '../../ports';
import { cleanTerminalText } from '../../terminalLines';

/** The result of a command that has ended, for the model. */
export function describeOutcome(outcome: CommandOutcome, plan: CommandPlan): ToolOutput {
  const output = cleanTerminalText(outcome.output).trimEnd();
  const content = [
    ...describeEnding(outcome, plan),
    output === '' ? '(no output)' : output,
    ...notes(outcome, output, plan),
  ];
  return {
    content: content.join('\n'),
    isError: outcome.ended !== 'exited' || outcome.exitCode !== 0,
    display: { ended: outcome.ended, exitCode: outcome.exitCode },
  };
}

/** The result of starting a background command, for the model. */
export function describeStart(start: BackgroundStart, plan: CommandPlan): ToolOutput {
  switch (start.kind) {
    case 'refused':
      return { content: `Nothing was started. ${start.reason}`, isError: true };
    case 'ended':
      return describeOutcome(start.outcome, plan);
    case 'running': {
      const output = cleanTerminalText(start.output).trimEnd();
      return {
        content:
          `Running in the background. read_file "${start.id}" shows its output; the command "stop ${start.id}" ends it.\n` +
          (output === '' ? '(no output yet)' : output),
        display: { background: start.id },
      };
    }
    default:
      return assertNever(start);
  }
}

/** The first line of the result, if any. */
function describeEnding(outcome: CommandOutcome, plan: CommandPlan): readonly string[] {
  switch (outcome.ended) {
    case 'exited':
      return [
        outcome.exitCode === null ? `Ended by ${outcome.signalName ?? 'a signal'}.` : `Exit code ${outcome.exitCode}.`,
      ];
    case 'timed_out':
      return [
        `Ended after ${plan.timeoutMs / 1000} s, its time limit. Set a longer timeout_seconds if it needs more. Output so far:`,
      ];
    case 'stopped':
      // The caller that stopped the command adds the first line.
      return [];
    case 'failed_to_start':
      return ['The command could not be started.'];
    default:
      return assertNever(outcome.ended);
  }
}

function notes(
  { ended, exitCode, endedBackground, surviving, withheld }: CommandOutcome,
  output: string,
  plan: CommandPlan,
): readonly string[] {
  const hasFailed = ended === 'timed_out' || (ended === 'exited' && exitCode !== 0);
  return [
    ...(hasFailed && looksLikeQuestion(output)
      ? ['[It seems to ask for input, but there is none. Use options that answer in advance, such as --yes.]']
      : []),
    ...(plan.confinement?.isSandbox && (hasFailed || ended === 'failed_to_start') ? [SANDBOX] : []),
    ...(plan.confinement && !plan.confinement.isSandbox && /read-only file system|\bEROFS\b/i.test(output)
      ? [READ_ONLY]
      : []),
    ...(endedBackground
      ? ['[It left processes running, and they were ended. Use background: true to keep them.]']
      : []),
    ...(withheld
      ? [
          `[Not passed to commands, because they look like secrets: ${withheld.join(', ')}. ` +
            'The user can pass them on with openAgent.commandEnvironment, or --pass-env on the command line.]',
        ]
      : []),
    ...(surviving ? [`[These processes could not be ended: ${surviving.join(', ')}.]`] : []),
  ];
}

const SANDBOX =
  '[It ran in the sandbox: no network, no home folder, no files with secrets; protected files are read-only. If it needs more, tell the user: in mode Ask it can run outside.]';

const READ_ONLY =
  '[Commands are confined here: they can write to the workspace and to temporary folders, but not to .git, .vscode and other files that run code. Tell the user if that is needed.]';

const QUESTION = new RegExp(
  [
    String.raw`[\[(](?:y(?:es)?\/no?|no?\/y(?:es)?)(?:\/[^\])]*)?[\])]`,
    String.raw`(?:password|passphrase|username|login|passcode)\b[^\n]*:\s*$`,
    String.raw`press (?:any key|enter|return)`,
    String.raw`(?:continue|proceed|overwrite|sure)\b[^?\n]*\?\s*$`,
    String.raw`could not read (?:username|password)|a (?:terminal|password) is required|EOFError: EOF when reading a line`,
  ].join('|'),
  'i',
);

/** Whether the last lines ask a question. */
function looksLikeQuestion(output: string): boolean {
  return output
    .split('\n')
    .slice(-3)
    .some((line) => QUESTION.test(line.slice(-500)));
}
