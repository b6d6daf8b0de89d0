import { textOfContent } from '../../../../src/sdk/images/imagePart';
import assert from 'node:assert/strict';
import type { EntryBody, SessionEntry } from '../../../../src/sdk/session/entries';
import { readEntries } from '../../../../src/sdk/session/readEntries';
import { NOT_STARTED, OUTCOME_UNKNOWN, replayMessages } from '../../../../src/sdk/session/replay';
import { contentToText } from '../../../../src/sdk/tool';

type Line = EntryBody | { readonly type: string; readonly [key: string]: unknown };

/** Entries as they are read back, each going on from the one before unless `parent` says otherwise. */
function entriesOf(lines: readonly (Line & { readonly parent?: string })[]): readonly SessionEntry[] {
  const text = lines.map(({ parent, ...body }, index) => {
    const parentId = parent ?? (index === 0 ? null : `e${index - 1}`);
    return `${JSON.stringify({ v: 1, id: `e${index}`, parentId, seq: index, ts: index, ...body })}\n`;
  });
  const { entries, problems } = readEntries(Buffer.from(text.join('')));
  assert.deepEqual(problems, []);
  return entries;
}

function user(content: string): EntryBody {
  return { type: 'user_message', text: content, contextLabels: [], content, origin: 'prompt' };
}

function assistant(text: string, ...callIds: readonly string[]): EntryBody {
  const calls = callIds.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }) as const);
  return {
    type: 'assistant_message',
    content: [{ type: 'text', text }, ...calls],
    stopReason: calls.length > 0 ? 'tool_use' : 'stop',
    responseId: 'r',
    model: 'm',
  };
}

function intent(toolUseId: string): EntryBody {
  return { type: 'tool_call', toolUseId, toolName: 'read', input: {} };
}

function result(toolUseId: string, content: string): EntryBody {
  return { type: 'tool_result', toolUseId, toolName: 'read', content, isError: false, outcome: 'succeeded' };
}

function partial(text: string, block = 0): EntryBody {
  return { type: 'assistant_partial', blocks: [{ block, type: 'text', text }] };
}

const running: EntryBody = { type: 'status_update', status: 'RUNNING' };
const finished: EntryBody = { type: 'status_update', status: 'FINISHED' };

/** Short forms of the messages: `user: …`, `assistant: …`, `tool <id>: …`. */
function replay(lines: Parameters<typeof entriesOf>[0], leafId?: string): readonly string[] {
  return replayMessages(entriesOf(lines), leafId).messages.map((message) => {
    switch (message.role) {
      case 'user':
        return `user: ${textOfContent(message.content)}`;
      case 'assistant':
        return `assistant (${message.stopReason}): ${message.content.map((block) => ('text' in block ? block.text : '+')).join('')}`;
      case 'tool':
        return `tool ${message.content.toolUseId}: ${contentToText(message.content.content)}`;
    }
  });
}

describe('replayMessages', () => {
  it('returns no messages for a session without any', () => {
    assert.deepEqual(replayMessages([]), { messages: [], isUnfinished: false });
    const head = { type: 'system_message', systemPrompt: 's', workspace: null, model: 'm', baseUrl: 'u' } as const;
    assert.deepEqual(replayMessages(entriesOf([head])), { messages: [], isUnfinished: false });
  });

  it('puts results in the order of the calls', () => {
    const lines = [user('u'), assistant('a', 'c1', 'c2'), result('c2', 'two'), result('c1', 'one'), assistant('b')];
    assert.deepEqual(replay(lines), [
      'user: u',
      'assistant (tool_use): a++',
      'tool c1: one',
      'tool c2: two',
      'assistant (stop): b',
    ]);
  });

  it('answers calls without a result: unknown when there was an intent, not run when there was none', () => {
    assert.deepEqual(replay([user('u'), assistant('a', 'c1', 'c2'), intent('c1')]), [
      'user: u',
      'assistant (tool_use): a++',
      `tool c1: ${OUTCOME_UNKNOWN}`,
      `tool c2: ${NOT_STARTED}`,
    ]);
  });

  it('omits results without a call, second results, and approvals', () => {
    const lines = [
      result('c0', 'orphan'),
      { type: 'approval', decision: 'allow' },
      user('u'),
      assistant('a', 'c1'),
      result('c1', 'one'),
      result('c1', 'again'),
    ];
    assert.deepEqual(replay(lines), ['user: u', 'assistant (tool_use): a+', 'tool c1: one']);
  });

  it('tells calls with the same id in two responses apart', () => {
    const lines = [user('u'), assistant('a', 'c'), result('c', 'one'), assistant('b', 'c'), result('c', 'two')];
    assert.deepEqual(replay(lines).slice(2), ['tool c: one', 'assistant (tool_use): b+', 'tool c: two']);
  });

  it('makes an interrupted message of the pieces of an unfinished answer', () => {
    const entries = entriesOf([user('u'), running, partial('Once '), partial('upon'), partial('!', 1)]);
    assert.deepEqual(replayMessages(entries), {
      messages: [
        { role: 'user', content: 'u' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Once upon' },
            { type: 'text', text: '!' },
          ],
          stopReason: 'interrupted',
        },
      ],
      isUnfinished: true,
    });
    assert.deepEqual(replay([user('u'), running, partial('Once'), running, user('v')]), [
      'user: u',
      'assistant (interrupted): Once',
      'user: v',
    ]);
  });

  it('skips pieces when the whole answer is there, or the run ended without keeping them', () => {
    assert.deepEqual(replay([user('u'), running, partial('On'), assistant('Once'), finished]), [
      'user: u',
      'assistant (stop): Once',
    ]);
    assert.deepEqual(replay([user('u'), running, partial('On'), { type: 'status_update', status: 'ERROR' }]), [
      'user: u',
    ]);
  });

  it('makes no message of an unfinished answer with thinking only', () => {
    const thinking: EntryBody = { type: 'assistant_partial', blocks: [{ block: 0, type: 'thinking', text: 'Hm' }] };
    assert.deepEqual(replay([user('u'), running, thinking]), ['user: u']);
  });

  it('follows the newest leaf, or the given one', () => {
    const lines = [user('u'), assistant('a'), { ...assistant('b'), parent: 'e0' }];
    assert.deepEqual(replay(lines), ['user: u', 'assistant (stop): b']);
    assert.deepEqual(replay(lines, 'e1'), ['user: u', 'assistant (stop): a']);
    assert.deepEqual(replay(lines, 'unknown'), []);
  });

  it('replaces earlier messages by the summary of a compaction', () => {
    const compaction: EntryBody = { type: 'compaction', summary: 'So far: u.', firstKeptId: 'e2' };
    assert.deepEqual(replay([user('u'), assistant('a'), user('v'), assistant('b'), compaction, user('w')]), [
      'user: So far: u.',
      'assistant (stop): I go on from this summary.',
      'user: v',
      'assistant (stop): b',
      'user: w',
    ]);
  });

  it('treats a run without an end, and a prompt without an answer, as unfinished', () => {
    const isUnfinished = (lines: readonly Line[]): boolean => replayMessages(entriesOf(lines)).isUnfinished;
    assert.equal(isUnfinished([running, user('u'), assistant('a')]), true);
    assert.equal(isUnfinished([running, user('u'), assistant('a'), finished]), false);
    assert.equal(isUnfinished([running, user('u'), assistant('a'), finished, user('v')]), true);
  });
});
