import { statusTexts } from '../../agent/view/statusTexts';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { AgentEvent, ModelStatus } from '../../sdk/events';
import type { ToolResultContent } from '../../sdk/messages';
import { visibleText } from '../../util/visibleText';
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

/** Shows session events as they happen: the answer as text, everything else as log lines. Escapes control characters in both. */
export function createSessionRenderer({
  answer,
  log,
  isTerminal,
  styles = plainStyles,
}: SessionRendererParts): SessionRenderer {
  let failure: string | undefined;
  let column = 0;
  let hasAnswered = false;

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

  const showAgentEvent = (event: AgentEvent): void => {
    switch (event.type) {
      case 'run_start':
        failure = undefined;
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
        if (!LONG_WAITS.includes(event.status)) return;
        const words = statusTexts[event.status];
        note(event.detail === undefined ? words : `${words} (${event.detail})`);
        return;
      }
      case 'tool_execution_start':
        note(`> ${event.toolName} ${visibleText(cut(JSON.stringify(event.input), 160), 'path')}`);
        return;
      case 'tool_execution_progress':
        log(styles.dim(safeTerminalText(event.output)));
        return;
      case 'tool_execution_end':
        if (event.outcome !== 'succeeded') note(`  ${event.outcome}: ${firstLine(event.result.content)}`);
        return;
      case 'retry':
        note(
          `${event.error.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s (${event.attempt} of ${event.maxRetries}).`,
        );
        return;
      case 'compaction':
        note(`The conversation was summarised: about ${event.tokensBefore} tokens became ${event.tokensAfter}.`);
        return;
      case 'warning':
        note(`Warning: ${event.message}`, styles.yellow);
        return;
      case 'run_end':
        endLine();
        return;
      case 'user_message':
      case 'prompt_progress':
      case 'thinking_delta':
      case 'tool_use_start':
      case 'tool_use_delta':
      case 'assistant_message':
      case 'usage':
      case 'step_end':
        return;
      default:
        return event satisfies never;
    }
  };

  const show = (event: SessionEvent): void => {
    switch (event.type) {
      case 'agent':
        showAgentEvent(event.event);
        return;
      case 'failed':
        failure = event.error.message;
        note(`Error: ${failure.replace(/\s*\n\s*/g, ' ')}`, styles.red);
        return;
      case 'notice':
        // The notice repeats the failure, for the panel's buttons.
        if (event.notice.message !== failure) note(event.notice.message);
        return;
      case 'prompt_added':
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
  return {
    show,
  };
}

/** Only waits that may be long get a line. */
const LONG_WAITS: readonly ModelStatus[] = ['queued', 'loading_model', 'stalled'];

function firstLine(content: ToolResultContent): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return cut(text.split('\n', 1)[0] ?? '', 200);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
