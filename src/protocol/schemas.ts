import * as z from 'zod';
import type { FromWebview } from './messages';

/** Generous for people, small enough that a runaway webview cannot fill the host's memory. */
const maxPromptCharacters = 2_000_000;

const id = z.string().min(1).max(200);
const prompt = z.string().max(maxPromptCharacters);

/** Strict: an intent with a field nobody knows is not ours. */
const fromWebview = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('needSnapshot') }),
  z.strictObject({ type: z.literal('submitPrompt'), sessionId: id.optional(), text: prompt }),
  z.strictObject({ type: z.literal('saveDraft'), text: prompt }),
  z.strictObject({ type: z.literal('listServerItems') }),
  z.strictObject({ type: z.literal('findFiles'), typed: z.string().max(1_000) }),
  z.strictObject({ type: z.literal('stop'), sessionId: id }),
  z.strictObject({ type: z.literal('stopTool'), sessionId: id, toolUseId: id }),
  z.strictObject({
    type: z.literal('approve'),
    sessionId: id,
    requestId: id,
    remember: z.enum(['session', 'workspace']).optional(),
    acceptsEdits: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal('reviewEdits'), sessionId: id, noticeId: id }),
  z.strictObject({ type: z.literal('reviewProposedEdits'), sessionId: id }),
  z.strictObject({ type: z.literal('stopCommand'), id }),
  z.strictObject({ type: z.literal('showCommandOutput'), id }),
  z.strictObject({ type: z.literal('deny'), sessionId: id, requestId: id, reason: z.string().max(10_000).optional() }),
  z.strictObject({
    type: z.literal('decideHunk'),
    sessionId: id,
    requestId: id,
    hunk: z.number().int().min(0).max(10_000),
    isKept: z.boolean(),
  }),
  z.strictObject({ type: z.literal('openDiff'), sessionId: id, requestId: id }),
  z.strictObject({ type: z.literal('newSession') }),
  z.strictObject({ type: z.literal('openSession'), sessionId: id }),
  z.strictObject({ type: z.literal('searchSessions'), query: z.string().max(500) }),
  z.strictObject({ type: z.literal('forkSession'), sessionId: id, beforeId: id.optional() }),
  z.strictObject({ type: z.literal('takeOverSession'), sessionId: id }),
  z.strictObject({
    type: z.literal('sessionAction'),
    sessionId: id,
    action: z.enum(['rename', 'delete', 'export']),
  }),
  z.strictObject({ type: z.literal('retry'), sessionId: id }),
  z.strictObject({ type: z.literal('continue'), sessionId: id }),
  z.strictObject({ type: z.literal('dismissNotice'), sessionId: id, noticeId: id }),
  z.strictObject({ type: z.literal('restoreTo'), sessionId: id, promptId: id }),
  z.strictObject({ type: z.literal('undoRestore'), sessionId: id, noticeId: id }),
  z.strictObject({ type: z.literal('selectModel'), model: z.string().min(1).max(500) }),
  z.strictObject({ type: z.literal('selectMode'), mode: z.enum(['plan', 'ask', 'acceptEdits']) }),
  z.strictObject({ type: z.literal('selectProfile'), profile: z.string().max(500) }),
  z.strictObject({ type: z.literal('selectAgent'), agent: z.string().max(500) }),
  z.strictObject({ type: z.literal('changeLoaded'), model: z.string().min(1).max(500), isLoaded: z.boolean() }),
  z.strictObject({ type: z.literal('forgetQuirks') }),
  z.strictObject({ type: z.literal('refreshServer') }),
  z.strictObject({ type: z.literal('startDoctor') }),
  z.strictObject({ type: z.literal('stopDoctor') }),
  z.strictObject({ type: z.literal('closeDoctor') }),
  z.strictObject({
    type: z.literal('openSetting'),
    setting: z.enum(['openAgent.baseUrl', 'openAgent.contextWindow', 'openAgent.maxTokens']),
  }),
  z.strictObject({
    type: z.literal('openFile'),
    path: z.string().min(1).max(4096),
    line: z.number().int().min(1).max(10_000_000).optional(),
  }),
  z.strictObject({
    type: z.literal('openLink'),
    href: z.string().min(1).max(4096),
    text: z.string().max(4096).optional(),
  }),
  z.strictObject({
    type: z.literal('runCommand'),
    command: z.enum([
      'importSession',
      'openSettings',
      'setApiKey',
      'showLog',
      'manageTrust',
      'openFolder',
      'findServers',
      'selectToolCalls',
      'forgetServerQuirks',
      'manageRules',
      'showMcpServers',
    ]),
  }),
]);

/** An intent, or why it is none: which type it said it was and what is wrong, never its contents. */
export type ParsedIntent =
  { readonly ok: true; readonly intent: FromWebview } | { readonly ok: false; readonly error: string };

/** Parses what a webview sent. Never throws. */
export function parseFromWebview(message: unknown): ParsedIntent {
  const parsed = fromWebview.safeParse(message);
  if (parsed.success) return { ok: true, intent: parsed.data satisfies FromWebview };
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'message'}: ${issue.code}`);
  return { ok: false, error: problems.join('; ') };
}
