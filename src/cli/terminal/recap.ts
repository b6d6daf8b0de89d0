import type { AgentSession } from '../../agent/session/agentSession';
import { safeTerminalText } from './safeTerminalText';

const MAX_CHARACTERS = 2_000;

/** Sums up a session that continues: its name, the last messages, what of it could not be read, and whether the last run was cut off. */
export function recap({ view, entries, damage }: Pick<AgentSession, 'view' | 'entries' | 'damage'>): string {
  const prompt = view.items.findLast(({ kind }) => kind === 'prompt');
  const answer = view.items.findLast(({ kind }) => kind === 'text');
  const lines = [`Continuing "${safeTerminalText(view.title)}".`];
  if (damage !== undefined) lines.push(`Warning: ${safeTerminalText(damage)}`);
  if (prompt?.kind === 'prompt') lines.push(`> ${cut(prompt.text).split('\n').join('\n  ')}`);
  if (answer?.kind === 'text' && isAfter(view.items, answer, prompt)) lines.push(cut(answer.text));
  const status = entries.findLast((entry) => entry.type === 'status_update')?.status;
  if (status === 'RUNNING') lines.push('The last run was interrupted. /continue resumes it.');
  if (status === 'ERROR') lines.push('The last run failed. /retry tries again.');
  if (status === 'CANCELED' || status === 'IDLE') lines.push('The last run did not finish. /continue resumes it.');
  return `${lines.join('\n')}\n`;
}

function isAfter<T>(items: readonly T[], item: T, other: T | undefined): boolean {
  return other === undefined || items.indexOf(item) > items.indexOf(other);
}

function cut(text: string): string {
  const shown = text.length > MAX_CHARACTERS ? `… ${text.slice(-MAX_CHARACTERS)}` : text;
  return safeTerminalText(shown.trim());
}
