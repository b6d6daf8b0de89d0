import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import type { AgentEvent } from '../../sdk/events';
import { cliEventLine, type CliEvent } from './cliEvents';
import { withoutRepeats } from './withoutRepeats';

export interface JsonEventsParts {
  readonly write: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The model that answers, read when a run begins. */
  readonly target: () => { readonly model: string; readonly baseUrl: string };
}

export interface JsonEvents {
  readonly show: (event: SessionEvent) => void;
  /** Writes an event that no session emits. */
  readonly write: (event: CliEvent) => void;
}

/** Writes session events as `CliEvent` lines. */
export function createJsonEvents({ write: writeLine, now, target }: JsonEventsParts): JsonEvents {
  const asked = new Map<string, ApprovalSummary>();
  const write = (event: CliEvent): void => writeLine(cliEventLine(event, now()));

  const show = (event: SessionEvent): void => {
    switch (event.type) {
      case 'agent': {
        const line = lineOf(event.event, target);
        if (line) write(line);
        return;
      }
      case 'approval_requested':
        asked.set(event.approval.requestId, event.approval);
        return;
      case 'approval_resolved': {
        const approval = asked.get(event.requestId);
        if (!approval || event.outcome !== 'denied') return;
        const { kind, reason, toolUseId: id } = approval;
        write({ type: 'denied', id, kind, subject: subjectOf(approval), reason });
        return;
      }
      case 'failed':
        write({ type: 'error', code: event.error.code, message: event.error.message });
        return;
      case 'notice':
        if (event.notice.promptId !== undefined) write({ type: 'summary', message: event.notice.message });
        // The notice of a failure may word it anew.
        else if (event.notice.severity !== 'error') write({ type: 'warning', message: event.notice.message });
        return;
      case 'prompt_added':
      case 'waiting_changed':
      case 'prompt_context':
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
  return { show: withoutRepeats(show), write };
}

function lineOf(event: AgentEvent, target: JsonEventsParts['target']): CliEvent | undefined {
  switch (event.type) {
    case 'run_start':
      return { type: 'run_start', prompt: event.prompt, ...target() };
    case 'text_delta':
      return { type: 'text', text: event.text };
    case 'thinking_delta':
      return { type: 'thinking', text: event.text };
    case 'assistant_message': {
      const text = event.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      return { type: 'message', text };
    }
    case 'tool_execution_start':
      return { type: 'tool_call', id: event.toolUseId, name: event.toolName, input: event.input };
    case 'tool_execution_progress':
      return { type: 'tool_output', id: event.toolUseId, text: event.output };
    case 'tool_execution_end':
      return { type: 'tool_result', id: event.toolUseId, outcome: event.outcome, content: event.result.content };
    case 'status':
      return { type: 'status', status: event.status, detail: event.detail };
    case 'prompt_progress':
      return { type: 'progress', ...event.progress };
    case 'usage':
      return { type: 'usage', ...event.usage };
    case 'retry': {
      const { attempt, maxRetries, delayMs, error, gone } = event;
      return { type: 'retry', attempt, maxRetries, delayMs, message: error.message, ...gone };
    }
    case 'compaction':
      return { type: 'compaction', tokensBefore: event.tokensBefore, tokensAfter: event.tokensAfter };
    case 'warning':
      return { type: 'warning', message: event.message };
    case 'user_message':
    case 'step_start':
    case 'output_rejected':
    case 'step_end':
    case 'tool_use_start':
    case 'tool_use_delta':
    case 'block_end':
    case 'run_end':
      return undefined;
    default:
      return event satisfies never;
  }
}

function subjectOf(approval: ApprovalSummary): string {
  switch (approval.kind) {
    case 'edit':
    case 'read':
      return approval.displayPath;
    case 'command':
      return approval.command;
    case 'mcp':
      return `${approval.server}: ${approval.tool}`;
    case 'extension':
      return `${approval.extension ?? 'vscode'}: ${approval.tool}`;
    default:
      return approval satisfies never;
  }
}
