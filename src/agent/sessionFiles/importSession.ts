import * as z from 'zod';
import { ENTRY_VERSION, type SessionEntry } from '../../sdk/session/entries';
import type { ImagePart } from '../../sdk/messages';
import { checkImage } from '../../sdk/images/imagePart';
import { entryLine } from '../../sdk/session/parseEntry';
import { describeImage } from '../../sdk/session/images/imageStore';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import { readEntries } from '../../sdk/session/readEntries';
import { EXPORTED_IMAGE } from './exportSession';
import { migrateText } from './migrateSession';
import * as l10n from '../../util/l10n';

export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 100_000;
const MAX_TITLE_LENGTH = 200;
const ToolName = z.string().max(200);

export interface ImportOptions {
  /** The workspace of the importing window. Paths in the file belong to another machine. */
  readonly workspace: string | null;
  readonly newId: () => string;
  readonly now: () => number;
}

export interface ImportedSession {
  readonly text: string;
  readonly images: readonly ImagePart[];
}

/**
 * The text of a new session's file from an exported one, which may be hostile, and its images. Keeps messages. Drops everything about
 * rights, files or the machine: approvals, previews, checkpoints, unknown types. Makes new ids. Throws, with a message
 * for people, when the file holds no session.
 */
export function importSession(bytes: Uint8Array, { workspace, newId, now }: ImportOptions): ImportedSession {
  if (bytes.length > MAX_IMPORT_BYTES) throw new Error(l10n.t('The file is too large for a session (64 MB at most).'));
  const text = new TextDecoder().decode(bytes);
  const { entries, problems } = readEntries(new TextEncoder().encode(migrateText(text) ?? text));
  if (problems.some(({ kind }) => kind === 'newer')) {
    throw new Error(
      l10n.t('The file was written by a newer version of Open Agent. Update the extension to import it.'),
    );
  }
  if (entries.length > MAX_ENTRIES) throw new Error(`The file has more than ${MAX_ENTRIES} entries.`);
  if (!entries.some(({ type }) => type === 'user_message' || type === 'assistant_message')) {
    throw new Error(l10n.t('The file holds no session. Choose one that was exported as JSON Lines.'));
  }
  const ids = new Map(entries.map(({ id }) => [id, newId()]));
  const newIdOf = (id: string): string | null => ids.get(id) ?? null;
  const kept: SessionEntry[] = [];
  // The children of a dropped entry get the entry before it as their parent.
  const parents = new Map<string, string | null>();
  const parentOf = (id: string | null): string | null => (id === null ? null : (parents.get(id) ?? newIdOf(id)));
  const head: SessionEntry = {
    v: ENTRY_VERSION,
    id: newId(),
    parentId: null,
    seq: 0,
    ts: now(),
    type: 'system_message',
    systemPrompt: '',
    workspace,
    model: '',
    baseUrl: '',
  };
  const images = entries.flatMap(imageIn);
  const own = new Set(images.map((image) => describeImage(image).hash));
  for (const entry of entries) {
    const cleaned = clean(entry, newIdOf, own);
    const parentId = parentOf(entry.parentId) ?? head.id;
    if (cleaned)
      kept.push({ ...cleaned, v: ENTRY_VERSION, id: newIdOf(entry.id) ?? newId(), parentId, seq: kept.length + 1 });
    else parents.set(entry.id, parentId);
  }
  return { text: [head, ...kept].map((entry) => `${entryLine(entry)}\n`).join(''), images };
}

/** Whatever an image is called in the file, it is kept under the hash of its bytes. */
function imageIn(entry: SessionEntry): readonly ImagePart[] {
  if (entry.type !== 'unknown' || entry.raw['type'] !== EXPORTED_IMAGE) return [];
  const { image } = entry.raw;
  if (typeof image !== 'string') return [];
  try {
    return [checkImage({ type: 'image', image })];
  } catch {
    // The conversation says in its place that it is missing.
    return [];
  }
}

/** The entry without parts that must not be imported; `undefined`: nothing is left. */
function clean(
  entry: SessionEntry,
  newIdOf: (id: string) => string | null,
  ownImages: ReadonlySet<string>,
): SessionEntry | undefined {
  switch (entry.type) {
    case 'title': {
      const title = entry.title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH);
      return title === '' ? undefined : { ...entry, title };
    }
    case 'tool_result': {
      const { approval: _approval, display: _display, ...rest } = entry;
      return withOwnImages(rest, ownImages);
    }
    case 'tool_call':
      return ToolName.safeParse(entry.toolName).success ? entry : undefined;
    case 'compaction':
      return { ...entry, firstKeptId: entry.firstKeptId === null ? null : newIdOf(entry.firstKeptId) };
    case 'user_message': {
      const { mode: _mode, ...rest } = entry;
      return withOwnImages(rest, ownImages);
    }
    case 'assistant_message':
    case 'assistant_partial':
    case 'status_update':
    case 'error':
      return entry;
    default:
      // The head is written anew. Epochs, checkpoints and unknown types belong to another machine or time.
      return undefined;
  }
}

const NO_IMAGE = '0'.repeat(64);

/** An image that is not in the file itself is missing: its hash could be that of an image of another session here. */
function withOwnImages<T extends { readonly images?: readonly StoredImage[] | undefined }>(
  entry: T,
  own: ReadonlySet<string>,
): T {
  if (!entry.images) return entry;
  return {
    ...entry,
    images: entry.images.map((image) => (own.has(image.hash) ? image : { ...image, hash: NO_IMAGE })),
  };
}
