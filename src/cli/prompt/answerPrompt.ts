import type { AgentSession } from '../../agent/session/agentSession';
import type { Prompt } from '../../agent/session/prompt';
import type { CompiledOutput } from '../../sdk/schema/structuredOutput';
import { safeJson } from './cliEvents';
import { exitCodes } from '../exitCodes';
import { createJsonEvents } from './jsonEvents';
import { askForKey } from '../agent/askForKey';
import { ensureModel } from '../agent/askForModel';
import { createSessionRenderer } from '../terminal/renderSession';
import { runPrompt, type PromptResult } from './runPrompt';
import type { RunSetup } from './runSetup';
import { safeTerminalText } from '../terminal/safeTerminalText';
import { messageOf } from '../../util/errors';

export interface AnswerPromptParts extends RunSetup {
  /** Standard output gets one event a line, and nothing else. */
  readonly isJson: boolean;
  /** Checks the answer against the output schema. With it, standard output gets the value. */
  readonly check?: CompiledOutput['check'] | undefined;
}

/** Answers one prompt. The answer goes to standard output, everything else to the log. Returns the exit code. */
export async function answerPrompt(prompt: string, parts: AnswerPromptParts): Promise<number> {
  const { agent, context, terminal, styles } = parts;
  const signal = untilInterrupted(parts);
  if (terminal) {
    const ask = (question: string) => terminal.ask(question, { signal });
    await ensureModel(agent, { ask, print: context.log, signal });
  }
  const prepared = await prepareSafely(prompt, parts);
  const answer = parts.isJson ? answerAsEvents : answerAsText;
  const { exitCode, problem, isTold } = 'problem' in prepared ? prepared : await answer(prepared, parts, signal);
  if (problem !== undefined && (parts.isJson || !isTold)) {
    const line = safeTerminalText(problem.replace(/\s*\n\s*/g, ' '));
    context.log(`${styles.red(`Error: ${line}`)}\n`);
  }
  return exitCode;
}

type NotSent = Pick<PromptResult, 'exitCode' | 'isTold'> & { readonly problem: string };

/** Prepares the prompt, or names the problem. */
async function prepareSafely(text: string, { prepare }: Pick<RunSetup, 'prepare'>): Promise<Prompt | NotSent> {
  try {
    return (await prepare(text)) ?? { exitCode: exitCodes.interrupted, problem: 'Nothing was sent.' };
  } catch (error) {
    return { exitCode: exitCodes.failed, problem: messageOf(error) };
  }
}

async function answerAsText(prompt: Prompt, parts: AnswerPromptParts, signal: AbortSignal): Promise<PromptResult> {
  const { agent, context, session, places, approver, check, styles, terminal } = parts;
  const { directory, registry } = places;
  const { stdout } = context.cli;
  const renderer = createSessionRenderer({
    answer: (text) => void (check ? undefined : stdout.write(text)),
    log: context.log,
    isTerminal: stdout.isTTY === true,
    styles,
  });
  const { log: print, modelAccess } = context;
  if (session.damage !== undefined) print(`${styles.yellow(`Warning: ${safeTerminalText(session.damage)}`)}\n`);
  const askHere = terminal && (() => askForKey({ terminal, agent, keys: modelAccess.keys, registry, print, signal }));
  const { show } = renderer;
  const result = await runPrompt(prompt, { session, directory, show, approver, askForKey: askHere, check, signal });
  if ('output' in result) stdout.write(`${safeJson(result.output)}\n`);
  return result;
}

async function answerAsEvents(prompt: Prompt, parts: AnswerPromptParts, signal: AbortSignal): Promise<PromptResult> {
  const { context, session, isResumed, places, approver, check } = parts;
  const { directory } = places;
  const { stdout } = context.cli;
  const events = createJsonEvents({
    write: (line) => void stdout.write(line),
    now: Date.now,
    target: () => targetOf(session),
  });
  events.write({ type: 'session', sessionId: session.id, folder: context.folder, isResumed });
  if (session.damage !== undefined) events.write({ type: 'warning', message: session.damage });
  const result = await runPrompt(prompt, { session, directory, show: events.show, approver, check, signal });
  const { status, exitCode, answer } = result;
  events.write({ type: 'result', status, exitCode, answer, ...('output' in result && { output: result.output }) });
  return result;
}

function targetOf({ entries }: Pick<AgentSession, 'entries'>): { readonly model: string; readonly baseUrl: string } {
  const begin = entries.findLast((entry) => entry.type === 'system_message' || entry.type === 'epoch');
  return { model: begin?.model ?? '', baseUrl: begin?.baseUrl ?? '' };
}

/**
 * Aborts with the process's signal, or with Ctrl+C at a terminal that reads keys itself. A second Ctrl+C ends the
 * process.
 */
function untilInterrupted({ terminal, context }: Pick<AnswerPromptParts, 'terminal' | 'context'>): AbortSignal {
  const { signal, exit } = context.cli;
  const controller = new AbortController();
  terminal?.onInterrupt(() => {
    if (!controller.signal.aborted) return controller.abort();
    terminal.dispose();
    exit(exitCodes.interrupted);
  });
  return AbortSignal.any([signal, controller.signal]);
}
