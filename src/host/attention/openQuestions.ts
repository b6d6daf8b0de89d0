import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import type { SessionNotice, SessionView } from '../../agent/view/sessionView';

/** Something that goes on only after an answer of the person. */
export interface OpenQuestion {
  /** The same for as long as it waits. */
  readonly id: string;
  readonly kind: 'edit' | 'command' | 'read' | 'call' | 'limit' | 'error' | 'mcp';
  /** Absent for a question about an MCP server. */
  readonly sessionId?: string | undefined;
  /** Who asked, if not the panel. */
  readonly askedBy?: 'endpoint' | 'chat' | undefined;
}

/** What waits in a session: each call that asks, and the error or limit that ended the last run. */
export function openQuestions({ sessionId, state, items }: SessionView): readonly OpenQuestion[] {
  const calls = items.flatMap((item): readonly OpenQuestion[] =>
    item.kind === 'tool' && item.state === 'awaiting_approval' && item.approval
      ? [asked(sessionId, item.approval)]
      : [],
  );
  if (state !== 'idle') return calls;
  const ends = items.flatMap((item): readonly OpenQuestion[] => {
    const kind = item.kind === 'notice' ? endingKind(item.notice) : undefined;
    return kind ? [{ id: item.id, kind, sessionId }] : [];
  });
  return [...calls, ...ends];
}

function asked(sessionId: string, { requestId, kind, askedBy }: ApprovalSummary): OpenQuestion {
  const isForeign = kind === 'mcp' || kind === 'extension';
  return { id: requestId, kind: isForeign ? 'call' : kind, sessionId, ...(askedBy && { askedBy }) };
}

/** A notice that offers to go on asks a question. Other notices only tell. */
function endingKind({ severity, actions }: SessionNotice): 'error' | 'limit' | undefined {
  if (severity === 'error') return 'error';
  return actions.includes('continue') || actions.includes('retry') ? 'limit' : undefined;
}

/** `2 edits wait for you`. Empty: nothing waits. */
export function questionsText(questions: readonly Pick<OpenQuestion, 'kind'>[]): string {
  const [first] = questions;
  if (!first) return '';
  const noun = questions.every(({ kind }) => kind === first.kind) ? nouns[first.kind] : 'question';
  return questions.length === 1 ? `1 ${noun} waits for you` : `${questions.length} ${noun}s wait for you`;
}

const nouns: Readonly<Record<OpenQuestion['kind'], string>> = {
  edit: 'edit',
  command: 'command',
  read: 'file',
  call: 'tool call',
  limit: 'stopped run',
  error: 'error',
  mcp: 'MCP server',
};
