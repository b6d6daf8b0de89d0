import * as fc from 'fast-check';
import { pathText, WORLD } from './paths';

const TOOLS = ['read_file', 'run_terminal_command', 'apply_edit', 'write_file', 'search_text', 'mcp__x__y', '../x'];
const HASHES = [
  '0'.repeat(64),
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '../../../ws/.env',
  '',
];

const toolName = fc.constantFrom(...TOOLS);
const named = pathText();
const state = fc.option(fc.record({ hash: fc.constantFrom(...HASHES), size: fc.nat(20), isExecutable: fc.boolean() }), {
  nil: null,
});
const input = fc.tuple(named, fc.constantFrom('evil', 'cat .env', 'touch evil')).map(([path, command]) => ({
  path,
  command,
  content: 'x',
  edits: [{ old_text: 'TOKEN', new_text: 'x' }],
}));
const words = fc.tuple(named, fc.boolean()).map(([path, isMention]) => (isMention ? `Read @${path}` : path));
const id = fc.oneof(fc.constantFrom('c1', 'c2'), named);

/** Entries as a hostile file may hold them: well formed, and about files of this machine. */
function body(): fc.Arbitrary<object> {
  const of = (type: string, fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
    fc.record({ type: fc.constant(type), ...fields });
  const address = fc.constantFrom('', 'http://127.0.0.1:9/v1', `file://${WORLD}/ws/.env`);
  return fc.oneof(
    of('user_message', {
      text: words,
      contextLabels: fc.array(named, { maxLength: 2 }),
      content: words,
      origin: fc.constantFrom('prompt', 'steer', 'continue'),
      mode: fc.constantFrom('plan', 'ask', 'acceptEdits'),
    }),
    of('waiting_prompt', {
      promptId: id,
      prompt: fc.option(fc.record({ text: words, contextLabels: fc.array(named, { maxLength: 1 }), content: words }), {
        nil: null,
      }),
    }),
    of('assistant_message', {
      content: fc.array(
        fc.oneof(
          words.map((text) => ({ type: 'text', text })),
          fc
            .tuple(id, toolName, input)
            .map(([one, name, value]) => ({ type: 'tool_use', id: one, name, input: value })),
        ),
        { minLength: 1, maxLength: 3 },
      ),
      stopReason: fc.constantFrom('stop', 'tool_use', 'interrupted', 'incomplete'),
      responseId: named,
      model: named,
    }),
    of('tool_call', { toolUseId: id, toolName, input }),
    of('tool_result', {
      toolUseId: id,
      toolName,
      content: words,
      isError: fc.boolean(),
      outcome: fc.constantFrom('succeeded', 'denied', 'interrupted'),
      display: named.map((path) => ({ kind: 'read', path })),
      approval: fc.constant({ outcome: 'allowed' }),
    }),
    of('status_update', { status: fc.constantFrom('RUNNING', 'IDLE', 'FINISHED', 'ERROR') }),
    of('compaction', { summary: words, firstKeptId: fc.option(fc.constantFrom('e0', 'e1', '../x'), { nil: null }) }),
    of('checkpoint', {
      cause: fc.constantFrom('edit', 'command', 'restore'),
      label: named,
      changes: fc.array(
        fc.record({
          path: fc.oneof(
            named,
            named.map((path) => `${WORLD}/ws/${path}`),
          ),
          before: state,
          after: state,
        }),
        { maxLength: 3 },
      ),
    }),
    of('title', { title: named }),
    of('epoch', { reason: words, systemPrompt: words, model: named, baseUrl: address, agent: named, profile: named }),
    of('system_message', { systemPrompt: words, workspace: named, model: named, baseUrl: address }),
    of('evil', { path: named }),
  );
}

/** The lines of a session's file that somebody else wrote. Plain data with `<world>` for the world's folder. */
export function importedSession(): fc.Arbitrary<readonly object[]> {
  const entry = fc.tuple(body(), fc.nat(9), fc.boolean());
  return fc.array(entry, { minLength: 1, maxLength: 12, size: 'max' }).map((entries) => {
    const first = { type: 'user_message', text: 'Hi', contextLabels: [], content: 'Hi', origin: 'prompt' };
    return [first, ...entries.map(([one]) => one)].map((one, seq) => {
      const [, back = 0, isBranch = false] = entries[seq - 1] ?? [];
      const parent = isBranch ? Math.max(0, seq - 1 - back) : seq - 1;
      return { v: 1, id: `e${seq}`, parentId: seq === 0 ? null : `e${parent}`, seq, ts: 1, ...one };
    });
  });
}
