import type { JsonObject, JsonValue } from '../../util/json';
import type { AgentErrorCode } from '../errors';
import type { ToolOutcome } from '../events';
import type { StoredImage } from './images/storedImage';
import type { AssistantMessage, StopReason, ToolResultContent, Usage } from '../messages';

/** The version of the entries below. A reader keeps newer entries and skips them. */
export const ENTRY_VERSION = 1;

/** The `reason` of an epoch that continues from an older entry. */
export const BRANCH = 'branch';

/** The fields of every entry, whatever its version and type. */
export interface EntryEnvelope {
  readonly v: number;
  readonly id: string;
  /** The previous entry; `null` for the first. Entries with the same parent are branches. */
  readonly parentId: string | null;
  /** Number of the line in its file, ascending. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly ts: number;
}

/** The requests of a session from here on, and their server. */
interface EntryTarget {
  readonly systemPrompt: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Ids of the profile and agent behind the requests. Absent: the settings alone. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** The places whose instructions the requests leave out, in order. Absent: none. */
  readonly leavesOut?: readonly string[] | undefined;
}

/** The first entry: the first target of requests. Its texts are empty when no client could be made. */
interface SystemMessageBody extends EntryTarget {
  readonly type: 'system_message';
  /** URI of the folder or workspace file; `null` when none was open. */
  readonly workspace: string | null;
  /** Who began the session, unless a person did: `endpoint` for a program. */
  readonly origin?: string | undefined;
  /** The session that this one was copied from, up to and including that entry. `null`: before its first. */
  readonly forkedFrom?: { readonly sessionId: string; readonly entryId: string | null } | undefined;
}

interface PromptText {
  /** The text that the person typed. */
  readonly text: string;
  /** Labels of the attached context, for people. */
  readonly contextLabels: readonly string[];
  /** The exact text that the model got. */
  readonly content: string;
  /** The permission mode that `content` names, if it does. */
  readonly mode?: string | undefined;
  /** The images of the message. Their bytes are kept elsewhere, by hash. */
  readonly images?: readonly StoredImage[] | undefined;
  /** Texts, and images by their index. Absent: the images, then `content`. */
  readonly order?: readonly (string | number)[] | undefined;
}

interface UserMessageBody extends PromptText {
  readonly type: 'user_message';
  /** `continue`: the client wrote it to go on after an answer that was cut. `hook`: facts about the run, before its end. */
  readonly origin: 'prompt' | 'steer' | 'continue' | 'hook';
}

/**
 * A prompt that was sent during a run, on file until the model gets it: then a `user_message` has the id `promptId`.
 * `prompt: null`: it was refused and waits no more.
 */
interface WaitingPromptBody {
  readonly type: 'waiting_prompt';
  readonly promptId: string;
  readonly prompt: PromptText | null;
}

interface AssistantMessageBody {
  readonly type: 'assistant_message';
  readonly content: AssistantMessage['content'];
  readonly stopReason?: StopReason | undefined;
  readonly responseId: string;
  readonly model: string;
  readonly usage?: Usage | undefined;
  /** The client wrote it to keep the roles alternating. Not shown. */
  readonly isBridge?: boolean | undefined;
}

/** The part of an unfinished answer since the last such entry. Pieces with the same `block` belong together. */
interface AssistantPartialBody {
  readonly type: 'assistant_partial';
  readonly blocks: readonly { readonly block: number; readonly type: 'text' | 'thinking'; readonly text: string }[];
}

/** The intent, on disk before the tool runs. */
interface ToolCallBody {
  readonly type: 'tool_call';
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: JsonObject;
}

interface ToolResultBody {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly toolName?: string | undefined;
  readonly content: ToolResultContent;
  /** See `UserMessageBody`. */
  readonly images?: readonly StoredImage[] | undefined;
  readonly isError: boolean;
  readonly outcome: ToolOutcome;
  readonly display?: JsonValue | undefined;
  /** The person's decision, for screens only. It never allows anything. */
  readonly approval?:
    | {
        readonly outcome: 'allowed' | 'allowed_with_changes' | 'denied' | 'expired';
        readonly reason?: string | undefined;
      }
    | undefined;
}

/**
 * `IDLE`: the run paused at its limit and waits for the person. `RUNNING` without a later status: the run never
 * ended.
 */
interface StatusBody {
  readonly type: 'status_update';
  readonly status: 'RUNNING' | 'IDLE' | 'FINISHED' | 'ERROR' | 'CANCELED';
}

interface ErrorBody {
  readonly type: 'error';
  readonly code: AgentErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
}

/** `summary` replaces everything before `firstKeptId` in the history: see `applyCompaction`. */
interface CompactionBody {
  readonly type: 'compaction';
  readonly summary: string;
  readonly firstKeptId: string | null;
  /** Longer tool results were cut to this many characters. */
  readonly maxResultCharacters?: number | undefined;
  readonly dropsImages?: 'earlier' | 'all' | undefined;
}

/** The content of a file; `null`: no file. `hash` is SHA-256 in hex, `size` in bytes. */
type FileState = { readonly hash: string; readonly size: number; readonly isExecutable: boolean } | null;

/** Changes of files, written before they happen where they are known by then. Contents are kept elsewhere, by hash. */
interface CheckpointBody {
  readonly type: 'checkpoint';
  readonly cause: 'edit' | 'command' | 'restore';
  /** For people: the file or the command. */
  readonly label: string;
  readonly toolUseId?: string | undefined;
  readonly changes: readonly { readonly path: string; readonly before: FileState; readonly after: FileState }[];
}

/** What a run changed and checked, for people. The newest for a prompt counts; an empty message: the person has seen it. */
interface RunSummaryBody {
  readonly type: 'run_summary';
  readonly promptId: string;
  readonly message: string;
  /** The entry that began a round of repair since which the errors grew. */
  readonly beforeRound?: string | undefined;
}

interface TitleBody {
  readonly type: 'title';
  readonly title: string;
}

/** Later requests start differently. */
interface EpochBody extends EntryTarget {
  readonly type: 'epoch';
  readonly reason: string;
  /** Later requests omit the earlier history. */
  readonly omitsHistory?: boolean | undefined;
}

/** A well-formed line of a type or version that this reader does not know. It is kept and skipped. */
interface UnknownBody {
  readonly type: 'unknown';
  readonly raw: JsonObject;
}

/** The part of an entry that its writer gives, by `type`. The log adds the rest. */
export type EntryBody =
  | SystemMessageBody
  | UserMessageBody
  | WaitingPromptBody
  | AssistantMessageBody
  | AssistantPartialBody
  | ToolCallBody
  | ToolResultBody
  | StatusBody
  | ErrorBody
  | CompactionBody
  | CheckpointBody
  | RunSummaryBody
  | TitleBody
  | EpochBody;

type WithEnvelope<Body> = Body extends unknown ? EntryEnvelope & Body : never;

/** One line of a session file, as read. */
export type SessionEntry = WithEnvelope<EntryBody | UnknownBody>;

/** The entry of one type. */
export type EntryOf<Type extends SessionEntry['type']> = Extract<SessionEntry, { type: Type }>;
