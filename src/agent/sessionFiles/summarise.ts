import * as l10n from '../../util/l10n';
import * as z from 'zod';
import type { SessionEntry } from '../../sdk/session/entries';
import { findEntries, type ReadPieces } from './findEntries';

/** The summary of a session's file for a list. */
export const SessionSketch = z.object({
  title: z.string(),
  /** The state of the newest run; `RUNNING`: it runs, or was cut off. */
  status: z.enum(['RUNNING', 'IDLE', 'FINISHED', 'ERROR', 'CANCELED']).optional(),
  /** URI of its folder or workspace file. */
  workspace: z.string().nullable(),
  /** A program began it, through the endpoint. */
  isServed: z.boolean().optional(),
  /** The person has sent a prompt since then, or named it. */
  isTakenUp: z.boolean().optional(),
});
export type SessionSketch = z.infer<typeof SessionSketch>;

const MAX_TITLE_CHARACTERS = 300;
const WANTED = /"type":"(?:title|status_update|system_message)"/;

/** The summary of a session's file; `undefined`: it has no entry. Parses as few lines as possible. */
export async function summarise(read: ReadPieces): Promise<SessionSketch | undefined> {
  const found = await findEntries(read, WANTED, (entries) => entries.some(({ type }) => type === 'title'));
  return found.length === 0 ? undefined : sketchOf(found);
}

export function sketchOf(entries: readonly SessionEntry[]): SessionSketch {
  let title = l10n.t('Untitled session');
  let status: SessionSketch['status'];
  let workspace: string | null = null;
  let isServed = false;
  let titleCount = 0;
  let runCount = 0;
  for (const entry of entries) {
    if (entry.type === 'title') {
      title = entry.title.slice(0, MAX_TITLE_CHARACTERS);
      titleCount += 1;
    } else if (entry.type === 'status_update') {
      ({ status } = entry);
      if (status === 'RUNNING') runCount += 1;
    } else if (entry.type === 'system_message') {
      ({ workspace } = entry);
      isServed = entry.origin === 'endpoint';
    }
  }
  const isTakenUp = isServed && (titleCount > 1 || runCount > 1);
  return { title, status, workspace, ...(isServed && { isServed }), ...(isTakenUp && { isTakenUp }) };
}
