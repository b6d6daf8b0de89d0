import * as z from 'zod';
import { permissionModes } from '../agent/view/permissionModes';
import {
  MAX_DROPPED_URIS,
  MAX_FILE_NAME,
  MAX_LINK_TEXT,
  MAX_MENTION_CHARACTERS,
  MAX_MENTIONS,
  MAX_PASTED_CHARACTERS,
  MAX_PLACE_CHARACTERS,
  MAX_PLACE_NAMES,
  MAX_URI_CHARACTERS,
} from '../agent/view/messageLimits';
import { remedySettings } from '../agent/view/server/doctorReport';

/** Enough for people, and too little for a runaway webview to fill the host's memory. */
const maxPromptCharacters = 2_000_000;

const id = z.string().min(1).max(200);
/** SHA-256 of an image. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A data URL. The page scales images down before. */
const maxImageCharacters = 12_000_000;
const prompt = z.string().max(maxPromptCharacters);
const model = z.string().min(1).max(500);
/** An empty id: none. */
const choice = z.string().max(500);
const pathOrUrl = z.string().min(1).max(MAX_URI_CHARACTERS);

const whenSent = z.enum(['next_step', 'after_run']);
const sessionAction = z.enum(['rename', 'delete', 'export']);
const panelCommand = z.enum([
  'compactSession',
  'importSession',
  'restoreSession',
  'openSettings',
  'setAddress',
  'getStarted',
  'setApiKey',
  'showLog',
  'manageTrust',
  'openFolder',
  'findServers',
  'examineModels',
  'setUpModel',
  'useLaptop',
  'selectToolCalls',
  'forgetServerQuirks',
  'manageRules',
  'showMcpServers',
]);

/** Strict: an intent with an unknown field is refused. */
const fromWebview = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('needSnapshot') }),
  /** The keyboard focus came into the page or left it. */
  z.strictObject({ type: z.literal('focusChanged'), isFocused: z.boolean() }),
  z.strictObject({
    type: z.literal('submitPrompt'),
    sessionId: id.optional(),
    text: prompt,
    /** The attached images that go with it. */
    images: z.array(hash).min(1).max(20).optional(),
    /** When to send it if a run goes on. Absent: with the next step. */
    when: whenSent.optional(),
  }),
  /** Changes when a waiting prompt is sent. Without a run it is sent at once. */
  z.strictObject({ type: z.literal('sendWaiting'), sessionId: id, promptId: id, when: whenSent }),
  /** Takes back a waiting prompt. `isEdited`: its text returns to the composer. */
  z.strictObject({ type: z.literal('withdrawPrompt'), sessionId: id, promptId: id, isEdited: z.boolean() }),
  /** Leaves plan mode for the mode `ask`, and tells the agent to carry out its plan. */
  z.strictObject({ type: z.literal('carryOutPlan'), sessionId: id }),
  z.strictObject({ type: z.literal('saveDraft'), text: prompt }),
  /** Attaches an image to the next prompt. Answered with `images_attached`. */
  z.strictObject({
    type: z.literal('attachImage'),
    image: z.string().max(maxImageCharacters),
    name: z.string().max(MAX_FILE_NAME),
  }),
  z.strictObject({ type: z.literal('detachImage'), hash }),
  /** Answers `scale_image`. Absent: the page could not draw the image. */
  z.strictObject({ type: z.literal('imageScaled'), id, image: z.string().max(maxImageCharacters).optional() }),
  /** Asks for `image_found`. */
  z.strictObject({ type: z.literal('findImage'), hash }),
  /** Asks for `prompts_listed`. */
  z.strictObject({ type: z.literal('listPrompts') }),
  /** Asks for `server_items`. Starts the MCP servers that the person has allowed. */
  z.strictObject({ type: z.literal('listServerItems') }),
  /** Asks for `commands_listed`. */
  z.strictObject({ type: z.literal('listCommands') }),
  /** Asks for `files_found`. */
  z.strictObject({ type: z.literal('findFiles'), typed: z.string().max(1_000) }),
  /** The names in the composer, as the text has them. Asks for `context_changed` when that says something new. */
  z.strictObject({
    type: z.literal('followMentions'),
    mentions: z.array(z.string().max(MAX_MENTION_CHARACTERS)).max(MAX_MENTIONS),
  }),
  /** Sends the instructions of one place from now on, or not. */
  z.strictObject({ type: z.literal('switchInstruction'), id: z.string().min(1).max(1_000), isOn: z.boolean() }),
  /** Names dropped files and folders in the composer. */
  z.strictObject({ type: z.literal('addUris'), uris: z.array(pathOrUrl).min(1).max(MAX_DROPPED_URIS) }),
  /** Keeps a text file that was dropped or pasted with its content, and names it in the composer. */
  z.strictObject({
    type: z.literal('addPasted'),
    name: z.string().min(1).max(MAX_FILE_NAME),
    text: z.string().max(MAX_PASTED_CHARACTERS),
  }),
  z.strictObject({ type: z.literal('stop'), sessionId: id }),
  z.strictObject({ type: z.literal('stopTool'), sessionId: id, toolUseId: id }),
  z.strictObject({
    type: z.literal('approve'),
    sessionId: id,
    requestId: id,
    /** Runs the same again without asking. Ignored where the request does not offer it. */
    remember: z.enum(['session', 'workspace']).optional(),
    /** Accepts ordinary edits for the rest of the run. Ignored where the request does not offer it. */
    acceptsEdits: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal('deny'), sessionId: id, requestId: id, reason: z.string().max(10_000).optional() }),
  /** Answers several edits at once. Accepting leaves out those that need an answer of their own. */
  z.strictObject({
    type: z.literal('answerEdits'),
    sessionId: id,
    requestIds: z.array(id).min(1).max(1_000),
    isAccepted: z.boolean(),
  }),
  /** Leaves a hunk out of a proposed edit, or puts it back. */
  z.strictObject({
    type: z.literal('decideHunk'),
    sessionId: id,
    requestId: id,
    /** From 0, as in the request's `hunks`. */
    hunk: z.number().int().min(0).max(10_000),
    isKept: z.boolean(),
  }),
  z.strictObject({ type: z.literal('openDiff'), sessionId: id, requestId: id }),
  /** Shows the edits of the agent that the person has not seen. */
  z.strictObject({ type: z.literal('reviewEdits'), sessionId: id, noticeId: id }),
  /** Shows all edits of the session that wait for an answer, in one editor. */
  z.strictObject({ type: z.literal('reviewProposedEdits'), sessionId: id }),
  z.strictObject({ type: z.literal('stopCommand'), id }),
  z.strictObject({ type: z.literal('showCommandOutput'), id }),
  z.strictObject({ type: z.literal('newSession') }),
  z.strictObject({ type: z.literal('openSession'), sessionId: id }),
  z.strictObject({ type: z.literal('searchSessions'), query: z.string().max(500) }),
  /** Copies the entries before this prompt and returns the prompt to the composer. Without `beforeId`: copies all. */
  z.strictObject({ type: z.literal('forkSession'), sessionId: id, beforeId: id.optional() }),
  /** Makes a session writable here that another window had open. */
  z.strictObject({ type: z.literal('takeOverSession'), sessionId: id }),
  /** The host asks the person before it acts. */
  z.strictObject({ type: z.literal('sessionAction'), sessionId: id, action: sessionAction }),
  z.strictObject({ type: z.literal('retry'), sessionId: id }),
  z.strictObject({ type: z.literal('continue'), sessionId: id }),
  /** Goes back to before a prompt and sends it again. The host asks about files that were changed since. */
  z.strictObject({ type: z.literal('regenerate'), sessionId: id, promptId: id }),
  /** The same with another text, which keeps the context of the prompt. */
  z.strictObject({ type: z.literal('editPrompt'), sessionId: id, promptId: id, text: prompt }),
  z.strictObject({ type: z.literal('dismissNotice'), sessionId: id, noticeId: id }),
  /** Goes back to before a prompt: files, conversation or both. The host asks which. */
  z.strictObject({ type: z.literal('restoreTo'), sessionId: id, promptId: id }),
  z.strictObject({ type: z.literal('undoRestore'), sessionId: id, noticeId: id }),
  /** Shows the files as they were before a prompt beside how they are now. */
  z.strictObject({ type: z.literal('reviewRun'), sessionId: id, promptId: id }),
  /** Brings the files back to how they were before the newest prompt. The conversation stays. */
  z.strictObject({ type: z.literal('undoRun'), sessionId: id, promptId: id }),
  z.strictObject({ type: z.literal('undoRepair'), sessionId: id, noticeId: id }),
  z.strictObject({ type: z.literal('selectModel'), model }),
  z.strictObject({ type: z.literal('selectMode'), mode: z.enum(permissionModes) }),
  z.strictObject({ type: z.literal('selectProfile'), profile: choice }),
  z.strictObject({ type: z.literal('selectAgent'), agent: choice }),
  /** Asks the server to load the model in use into memory, or to unload it. */
  z.strictObject({ type: z.literal('changeLoaded'), model, isLoaded: z.boolean() }),
  /** Forgets the learned quirks of the server in use. */
  z.strictObject({ type: z.literal('forgetQuirks') }),
  /** Pauses, continues or gives up the set-up of a model on this machine. */
  z.strictObject({ type: z.literal('steerSetUp'), action: z.enum(['pause', 'goOn', 'remove']) }),
  z.strictObject({ type: z.literal('refreshServer') }),
  z.strictObject({ type: z.literal('startDoctor') }),
  /** The findings so far stay on screen. */
  z.strictObject({ type: z.literal('stopDoctor') }),
  z.strictObject({ type: z.literal('closeDoctor') }),
  z.strictObject({ type: z.literal('openSetting'), setting: z.enum(remedySettings) }),
  /** Puts a block of code of an answer at the cursor, into a new file, or into a file after the person saw the diff. */
  z.strictObject({
    type: z.literal('useCode'),
    sessionId: id,
    use: z.enum(['insert', 'apply', 'newFile']),
    code: prompt,
    language: z.string().max(100),
    /** The file that the answer names for it. */
    path: z.string().min(1).max(MAX_PLACE_CHARACTERS).optional(),
  }),
  /** Puts a text into the clipboard. The page cannot when a menu has the focus. */
  z.strictObject({ type: z.literal('copyText'), text: prompt }),
  /** Asks for `places_found`: which of these paths and symbols, named by an answer, lead to something in the workspace. */
  z.strictObject({
    type: z.literal('findPlaces'),
    names: z.array(z.string().min(1).max(MAX_PLACE_CHARACTERS)).min(1).max(MAX_PLACE_NAMES),
  }),
  /** `line`: from 1. */
  z.strictObject({
    type: z.literal('openFile'),
    path: pathOrUrl,
    line: z.number().int().min(1).max(10_000_000).optional(),
  }),
  /** `text`: what the link shows to the person. */
  z.strictObject({ type: z.literal('openLink'), href: pathOrUrl, text: z.string().max(MAX_LINK_TEXT).optional() }),
  z.strictObject({ type: z.literal('runCommand'), command: panelCommand }),
]);

/** Intents, from the webview to the host. */
export type FromWebview = Readonly<z.infer<typeof fromWebview>>;

export type SessionAction = z.infer<typeof sessionAction>;

/** The commands that the panel may start. */
export type PanelCommand = z.infer<typeof panelCommand>;

/** An intent, or the reason why the message is none. The reason never repeats the message's contents. */
export type ParsedIntent =
  { readonly ok: true; readonly intent: FromWebview } | { readonly ok: false; readonly error: string };

/** Parses a message from the webview. Never throws. */
export function parseFromWebview(message: unknown): ParsedIntent {
  const parsed = fromWebview.safeParse(message);
  if (parsed.success) return { ok: true, intent: parsed.data };
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'message'}: ${issue.code}`);
  return { ok: false, error: problems.join('; ') };
}
