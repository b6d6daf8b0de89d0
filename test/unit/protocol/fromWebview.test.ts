import assert from 'node:assert/strict';
import type { FromWebview } from '../../../src/protocol/fromWebview';
import { parseFromWebview } from '../../../src/protocol/fromWebview';

/** One of each type. The compiler reports a missing one. */
const intents: { readonly [T in FromWebview['type']]: Extract<FromWebview, { type: T }> } = {
  ready: { type: 'ready' },
  needSnapshot: { type: 'needSnapshot' },
  focusChanged: { type: 'focusChanged', isFocused: true },
  sendWaiting: { type: 'sendWaiting', sessionId: 's', promptId: 'p', when: 'after_run' },
  withdrawPrompt: { type: 'withdrawPrompt', sessionId: 's', promptId: 'p', isEdited: true },
  submitPrompt: { type: 'submitPrompt', sessionId: 's', text: 'Hi' },
  saveDraft: { type: 'saveDraft', text: '' },
  attachImage: { type: 'attachImage', image: 'data:image/png;base64,', name: 'a.png' },
  detachImage: { type: 'detachImage', hash: '0'.repeat(64) },
  imageScaled: { type: 'imageScaled', id: '1', image: 'data:image/png;base64,AA==' },
  findImage: { type: 'findImage', hash: '0'.repeat(64) },
  switchInstruction: { type: 'switchInstruction', id: 'AGENTS.md', isOn: false },
  regenerate: { type: 'regenerate', sessionId: 's', promptId: 'p' },
  editPrompt: { type: 'editPrompt', sessionId: 's', promptId: 'p', text: 'Hi' },
  listPrompts: { type: 'listPrompts' },
  listServerItems: { type: 'listServerItems' },
  listCommands: { type: 'listCommands' },
  findFiles: { type: 'findFiles', typed: 'src/a' },
  followMentions: { type: 'followMentions', mentions: ['@src/a.ts:3'] },
  addUris: { type: 'addUris', uris: ['file:///a.ts'] },
  addPasted: { type: 'addPasted', name: 'notes.txt', text: 'a' },
  stop: { type: 'stop', sessionId: 's' },
  stopTool: { type: 'stopTool', sessionId: 's', toolUseId: 't' },
  approve: { type: 'approve', sessionId: 's', requestId: 'r', remember: 'workspace', acceptsEdits: true },
  answerEdits: { type: 'answerEdits', sessionId: 's', requestIds: ['r', 'q'], isAccepted: true },
  reviewEdits: { type: 'reviewEdits', sessionId: 's', noticeId: 'n' },
  reviewProposedEdits: { type: 'reviewProposedEdits', sessionId: 's' },
  stopCommand: { type: 'stopCommand', id: 'output:01234567' },
  showCommandOutput: { type: 'showCommandOutput', id: 'output:01234567' },
  deny: { type: 'deny', sessionId: 's', requestId: 'r', reason: 'no' },
  carryOutPlan: { type: 'carryOutPlan', sessionId: 's' },
  decideHunk: { type: 'decideHunk', sessionId: 's', requestId: 'r', hunk: 1, isKept: false },
  openDiff: { type: 'openDiff', sessionId: 's', requestId: 'r' },
  newSession: { type: 'newSession' },
  openSession: { type: 'openSession', sessionId: 's' },
  searchSessions: { type: 'searchSessions', query: 'parser' },
  forkSession: { type: 'forkSession', sessionId: 's', beforeId: 'e' },
  takeOverSession: { type: 'takeOverSession', sessionId: 's' },
  sessionAction: { type: 'sessionAction', sessionId: 's', action: 'rename' },
  retry: { type: 'retry', sessionId: 's' },
  continue: { type: 'continue', sessionId: 's' },
  dismissNotice: { type: 'dismissNotice', sessionId: 's', noticeId: 'n' },
  restoreTo: { type: 'restoreTo', sessionId: 's', promptId: 'p' },
  reviewRun: { type: 'reviewRun', sessionId: 's', promptId: 'p' },
  undoRun: { type: 'undoRun', sessionId: 's', promptId: 'p' },
  undoRepair: { type: 'undoRepair', sessionId: 's', noticeId: 'n' },
  undoRestore: { type: 'undoRestore', sessionId: 's', noticeId: 'n' },
  selectModel: { type: 'selectModel', model: 'm' },
  selectMode: { type: 'selectMode', mode: 'plan' },
  selectProfile: { type: 'selectProfile', profile: 'fast' },
  selectAgent: { type: 'selectAgent', agent: '' },
  changeLoaded: { type: 'changeLoaded', model: 'm', isLoaded: true },
  forgetQuirks: { type: 'forgetQuirks' },
  steerSetUp: { type: 'steerSetUp', action: 'pause' },
  refreshServer: { type: 'refreshServer' },
  startDoctor: { type: 'startDoctor' },
  stopDoctor: { type: 'stopDoctor' },
  closeDoctor: { type: 'closeDoctor' },
  openSetting: { type: 'openSetting', setting: 'openAgent.baseUrl' },
  useCode: { type: 'useCode', sessionId: 's', use: 'apply', code: 'a', language: 'js', path: 'a.js' },
  copyText: { type: 'copyText', text: 'a' },
  findPlaces: { type: 'findPlaces', names: ['src/a.ts'] },
  openFile: { type: 'openFile', path: 'src/a.ts', line: 3 },
  openLink: { type: 'openLink', href: 'https://example.org' },
  runCommand: { type: 'runCommand', command: 'openSettings' },
};

describe('parseFromWebview', () => {
  for (const intent of Object.values(intents)) {
    it(`accepts ${intent.type}`, () => assert.deepEqual(parseFromWebview(intent), { ok: true, intent }));
  }

  it('accepts intents without their optional fields', () => {
    for (const intent of [
      { type: 'submitPrompt', text: 'Hi' },
      { type: 'deny', sessionId: 's', requestId: 'r' },
      { type: 'openFile', path: 'a' },
      { type: 'forkSession', sessionId: 's' },
    ]) {
      assert.deepEqual(parseFromWebview(intent), { ok: true, intent });
    }
  });

  const refused: readonly (readonly [string, unknown])[] = [
    ['a string', 'ready'],
    ['null', null],
    ['an unknown type', { type: 'eval', code: '1' }],
    ['an unknown field', { type: 'ready', extra: 1 }],
    ['a missing field', { type: 'approve', sessionId: 's' }],
    ['a field of the wrong type', { type: 'submitPrompt', text: 1 }],
    ['an empty id', { type: 'stop', sessionId: '' }],
    ['an id that is too long', { type: 'stop', sessionId: 'x'.repeat(201) }],
    ['a prompt that is too long', { type: 'submitPrompt', text: 'x'.repeat(2_000_001) }],
    ['a setting of another extension', { type: 'openSetting', setting: 'terminal.integrated.shell' }],
    ['a command of VS Code', { type: 'runCommand', command: 'workbench.action.terminal.new' }],
    ['too many names', { type: 'findPlaces', names: Array<string>(101).fill('a.ts') }],
    ['a name that is too long', { type: 'findPlaces', names: ['x'.repeat(301)] }],
    ['line 0', { type: 'openFile', path: 'a', line: 0 }],
    ['a fractional line', { type: 'openFile', path: 'a', line: 1.5 }],
  ];
  for (const [name, message] of refused) {
    it(`refuses ${name}`, () => assert.equal(parseFromWebview(message).ok, false));
  }

  it('names the problem without repeating the message', () => {
    const parsed = parseFromWebview({ type: 'submitPrompt', text: ['SECRET'], SECRET: 1 });
    assert.deepEqual(parsed, { ok: false, error: 'text: invalid_type; message: unrecognized_keys' });
  });
});
