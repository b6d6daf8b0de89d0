import { denialLabel } from '../../agent/view/denialLabel';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import { promptReading } from '../../agent/view/promptReading';
import { goneText, statusText } from '../../agent/view/statusTexts';
import type { AgentEvent, ToolOutcome } from '../../sdk/events';
import * as l10n from '../../util/l10n';
import { visibleText } from '../../util/text/visibleText';
import { literal, questionLine, toolLine } from './chatText';

/** Where an answer is written to. */
export interface ChatAnswerParts {
  /** Appends untrusted Markdown. */
  readonly text: (markdown: string) => void;
  /** Shows the current activity, until the next call. */
  readonly progress: (message: string) => void;
  /** Shows a button that leads to the open question. */
  readonly question: () => void;
}

/** Writes the events of one session into VS Code's chat view. */
export class ChatAnswer {
  readonly #parts: ChatAnswerParts;
  #error: string | undefined;
  /** The newest progress message. */
  #said = '';
  /** The last line belongs to a list of tool calls. */
  #isList = false;
  #hasText = false;
  /** The started calls, by their ids. */
  readonly #started = new Map<string, { readonly toolName: string; readonly line: string }>();
  #lastStarted = '';
  /** The calls that the person was asked about. */
  readonly #asked = new Set<string>();

  constructor(parts: ChatAnswerParts) {
    this.#parts = parts;
  }

  /** Why there is no answer, as a text for people. */
  get error(): string | undefined {
    return this.#error;
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case 'agent':
        return this.#takeAgent(event.event);
      case 'approval_requested':
        this.#asked.add(event.approval.toolUseId);
        this.#line(l10n.t('**Waits for your decision** in the Open Agent view: {0}', questionLine(event.approval)));
        return this.#parts.question();
      case 'failed':
        this.#error = visibleText(event.error.message, 'code');
        return;
      case 'notice':
        // Errors end the answer and are told there.
        if (event.notice.severity !== 'error') this.#line(`_${literal(event.notice.message)}_`);
        return;
      default:
        return;
    }
  }

  #takeAgent(event: AgentEvent): void {
    switch (event.type) {
      case 'status':
        return this.#progress(statusText(event.status));
      case 'prompt_progress': {
        const reading = promptReading(event.progress);
        return reading && this.#progress(`${statusText('prefilling')}: ${reading.percent} %`);
      }
      case 'thinking_delta':
        return this.#progress(l10n.t('Thinking'));
      case 'retry':
        return this.#progress(event.gone ? goneText() : l10n.t('Trying again'));
      case 'text_delta':
        if (event.text === '') return;
        this.#parts.text(this.#isList ? `\n\n${event.text}` : event.text);
        this.#isList = false;
        this.#hasText = true;
        this.#said = '';
        return;
      case 'tool_execution_start':
        return this.#start(event.toolUseId, event.toolName, toolLine(event.toolName, event.input));
      case 'tool_execution_end':
        return this.#end(event.outcome, event.toolUseId);
      default:
        return;
    }
  }

  #start(toolUseId: string, toolName: string, line: string): void {
    this.#started.set(toolUseId, { toolName, line });
    this.#lastStarted = toolUseId;
    this.#line(line);
  }

  #end(outcome: ToolOutcome, toolUseId: string): void {
    if (outcome === 'succeeded') return;
    const call = this.#started.get(toolUseId);
    // Other calls started after this one: its line is repeated, so that the outcome is not read as theirs.
    if (call && toolUseId !== this.#lastStarted) this.#start(toolUseId, call.toolName, call.line);
    this.#parts.text(` (${this.#outcome(outcome, toolUseId)})`);
  }

  #outcome(outcome: Exclude<ToolOutcome, 'succeeded'>, toolUseId: string): string {
    if (outcome === 'failed') return l10n.t('failed');
    if (outcome === 'interrupted') return l10n.t('stopped');
    return denialLabel(this.#started.get(toolUseId)?.toolName ?? '', this.#asked.has(toolUseId)).toLowerCase();
  }

  #line(markdown: string): void {
    this.#parts.text(`${this.#isList ? '\n' : this.#hasText ? '\n\n' : ''}- ${markdown}`);
    this.#isList = true;
    this.#hasText = true;
    this.#said = '';
  }

  #progress(message: string): void {
    if (message === this.#said) return;
    this.#said = message;
    this.#parts.progress(`${message}…`);
  }
}
