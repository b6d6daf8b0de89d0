import { formatSeconds } from '../../agent/view/duration';
import { formatSpeed, promptReading } from '../../agent/view/promptReading';
import { goneText, goneTextWithin, statusText } from '../../agent/view/statusTexts';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { AgentEvent, ModelStatus, PromptProgress } from '../../sdk/events';
import type { ToolResultContent, Usage } from '../../sdk/messages';
import { withoutRepeats } from '../prompt/withoutRepeats';
import { visibleText } from '../../util/text/visibleText';
import { plainStyles, type Styles } from './styles';
import { createSafeTerminalStream } from './safeTerminalStream';
import { safeTerminalText } from './safeTerminalText';

export interface SessionRendererParts {
  /** Gets the model's answer and nothing else. */
  readonly answer: (text: string) => void;
  /** Gets everything else. */
  readonly log: (text: string) => void;
  /** True when `answer` and `log` share a screen. */
  readonly isTerminal: boolean;
  /** Styles of the log. Absent: no colours. */
  readonly styles?: Styles | undefined;
}

export interface SessionRenderer {
  readonly show: (event: SessionEvent) => void;
}

/**
 * Shows session events as they happen: the answer as text, everything else as log lines. Escapes control characters in
 * both.
 */
export function createSessionRenderer({
  answer,
  log,
  isTerminal,
  styles = plainStyles,
}: SessionRendererParts): SessionRenderer {
  let column = 0;
  let hasAnswered = false;
  /** Of the newest response. */
  let usage: Usage | undefined;
  /** The reason of the newest retry. */
  let retried: string | undefined;
  /** How many times ten seconds a server that is gone was waited for, as told. */
  let goneTens = 0;
  /** The long wait that was told last. */
  let waiting: { readonly status: ModelStatus; readonly sinceMs: number } | undefined;
  /** The lines of the calls that run, by their ids. */
  const calls = new Map<string, string>();
  let lastStarted = '';
  /** How many tenths of the prompt were told as read. */
  let tenth = 0;

  const stream = createSafeTerminalStream();

  const print = (shown: string): void => {
    if (shown === '') return;
    answer(shown);
    column = shown.endsWith('\n') ? 0 : 1;
    hasAnswered = true;
  };
  const say = (text: string): void => print(stream.push(text));
  const endLine = (): void => {
    print(stream.end());
    if (column > 0) print('\n');
  };
  const note = (text: string, style = styles.dim): void => {
    // On a shared screen a log line must not continue a line of the answer.
    if (isTerminal) endLine();
    log(`${style(safeTerminalText(text))}\n`);
  };

  /** At most ten lines for a prompt, and none for a short wait. */
  const showReading = (progress: PromptProgress): void => {
    const reading = promptReading(progress);
    if (reading?.tokensPerSecond === undefined || reading.leftMs === undefined) return;
    const { percent, tokensPerSecond, leftMs } = reading;
    const isShort = (progress.elapsedMs ?? 0) + leftMs < LONG_READING_MS;
    const reached = Math.floor(percent / 10);
    if (isShort || reached <= tenth) return;
    tenth = reached;
    note(
      `${statusText('prefilling')}: ${percent} % of ${progress.total} tokens, ${formatSpeed(tokensPerSecond)}, ` +
        `${formatSeconds(leftMs)} left`,
    );
  };

  const startCall = (toolUseId: string, line: string): void => {
    calls.set(toolUseId, line);
    lastStarted = toolUseId;
    note(line);
  };

  const endCall = ({ toolUseId, outcome, result }: Extract<AgentEvent, { type: 'tool_execution_end' }>): void => {
    const line = calls.get(toolUseId);
    // Other calls started after this one: its line is repeated, so that the outcome is not read as theirs.
    if (outcome !== 'succeeded' && line !== undefined && toolUseId !== lastStarted) startCall(toolUseId, line);
    calls.delete(toolUseId);
    if (outcome !== 'succeeded') note(`  ${outcome}: ${firstLine(result.content)}`);
  };

  const showAgentEvent = (event: AgentEvent, ts: number): void => {
    switch (event.type) {
      case 'run_start':
        usage = undefined;
        hasAnswered = false;
        return;
      case 'step_start':
        // One empty line separates the text before a tool call from the text after it.
        if (hasAnswered) {
          endLine();
          answer('\n');
          hasAnswered = false;
        }
        return;
      case 'text_delta':
        say(event.text);
        return;
      case 'block_end':
        endLine();
        return;
      case 'status': {
        tenth = 0;
        if (!LONG_WAITS.includes(event.status)) {
          waiting = undefined;
          return;
        }
        const words = statusText(event.status);
        const isSame = waiting?.status === event.status;
        if (!isSame) waiting = { status: event.status, sinceMs: ts };
        const elapsedMs = ts - (waiting?.sinceMs ?? ts);
        const elapsed = isSame ? `: ${formatSeconds(elapsedMs)}` : '';
        note(event.detail === undefined ? `${words}${elapsed}` : `${words}${elapsed} (${event.detail})`);
        return;
      }
      case 'prompt_progress':
        showReading(event.progress);
        return;
      case 'tool_execution_start':
        startCall(event.toolUseId, `> ${event.toolName} ${visibleText(cut(JSON.stringify(event.input), 160), 'path')}`);
        return;
      case 'tool_execution_progress':
        log(styles.dim(safeTerminalText(event.output)));
        return;
      case 'tool_execution_end':
        endCall(event);
        return;
      case 'retry': {
        // The tries that follow fail for the same reason, which is told once.
        const reason = event.attempt > 1 && event.error.message === retried ? '' : `${event.error.message} `;
        retried = event.error.message;
        const { attempt, maxRetries, delayMs, gone } = event;
        if (gone === undefined) {
          note(`${reason}Trying again in ${Math.ceil(delayMs / 1000)} s (${attempt} of ${maxRetries}).`);
        } else if (reason !== '') {
          note(`${reason}${goneTextWithin(gone.longestMs)}.`);
          goneTens = 0;
        } else if (gone.waitedMs >= (goneTens + 1) * 10_000) {
          goneTens = Math.floor(gone.waitedMs / 10_000);
          note(`${goneText()}: ${formatSeconds(gone.waitedMs)}.`);
        }
        return;
      }
      case 'compaction':
        note(`The conversation was summarised: about ${event.tokensBefore} tokens became ${event.tokensAfter}.`);
        return;
      case 'warning':
        note(`Warning: ${event.message}`, styles.yellow);
        return;
      case 'assistant_message':
        usage = event.usage;
        return;
      case 'run_end':
        endLine();
        if (usage?.writtenPerSecond !== undefined) {
          note(`The newest answer came at ${formatSpeed(usage.writtenPerSecond)}.`);
        }
        return;
      case 'user_message':
      case 'thinking_delta':
      case 'tool_use_start':
      case 'tool_use_delta':
      case 'usage':
      case 'output_rejected':
      case 'step_end':
        return;
      default:
        return event satisfies never;
    }
  };

  const show = (event: SessionEvent): void => {
    switch (event.type) {
      case 'agent':
        showAgentEvent(event.event, event.ts);
        return;
      case 'failed':
        note(`Error: ${event.error.message.replace(/\s*\n\s*/g, ' ')}`, styles.red);
        return;
      case 'notice':
        note(event.notice.message);
        return;
      case 'prompt_added':
      case 'waiting_changed':
      case 'prompt_context':
      case 'approval_requested':
      case 'approval_resolved':
      case 'hunks_changed':
      case 'state_changed':
      case 'branch_changed':
      case 'context':
      case 'titled':
      case 'notice_dismissed':
      case 'read_only_changed':
        return;
      default:
        return event satisfies never;
    }
  };
  return { show: withoutRepeats(show) };
}

/** Readings of a prompt that take longer are told. */
const LONG_READING_MS = 3_000;

/** Only waits that may be long get a line. */
const LONG_WAITS: readonly ModelStatus[] = ['queued', 'loading_model', 'stalled'];

function firstLine(content: ToolResultContent): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return cut(text.split('\n', 1)[0] ?? '', 200);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
