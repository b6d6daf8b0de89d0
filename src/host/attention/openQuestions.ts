import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import type { SessionNotice, SessionView } from '../../agent/view/sessionView';
import * as l10n from '../../util/l10n';

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
  if (questions.length === 0) return '';
  const what = countText(questions);
  return questions.length === 1 ? l10n.t('{0} waits for you', what) : l10n.t('{0} wait for you', what);
}

/** `2 edits`. At least one question is given. */
export function countText(questions: readonly Pick<OpenQuestion, 'kind'>[]): string {
  const { length: count } = questions;
  const [first] = questions;
  if (!first || questions.some(({ kind }) => kind !== first.kind)) return l10n.t('{0} questions', count);
  switch (first.kind) {
    case 'edit':
      return count === 1 ? l10n.t('1 edit') : l10n.t('{0} edits', count);
    case 'command':
      return count === 1 ? l10n.t('1 command') : l10n.t('{0} commands', count);
    case 'read':
      return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
    case 'call':
      return count === 1 ? l10n.t('1 tool call') : l10n.t('{0} tool calls', count);
    case 'limit':
      return count === 1 ? l10n.t('1 stopped run') : l10n.t('{0} stopped runs', count);
    case 'error':
      return count === 1 ? l10n.t('1 error') : l10n.t('{0} errors', count);
    case 'mcp':
      return count === 1 ? l10n.t('1 MCP server') : l10n.t('{0} MCP servers', count);
  }
}
