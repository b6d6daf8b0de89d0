import assert from 'node:assert/strict';
import type { AgentEvent, Message } from '../../../../src/sdk';
import { applyCompaction } from '../../../../src/sdk/context/applyCompaction';
import { compact, type CompactionTask } from '../../../../src/sdk/context/compaction';
import { TokenCounter } from '../../../../src/sdk/context/tokenCount';
import type { ModelProvider } from '../../../../src/sdk/model/modelProvider';
import { dataUrl, pngOf } from '../../../support/images/sampleImages';

const image = { type: 'image', image: dataUrl(pngOf(1_120, 700)) } as const;
const user = (text: string): Message => ({ role: 'user', content: [image, { type: 'text', text }] });
const answer = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** Runs a compaction. The model answers `Summary.` and counts its requests. */
async function compacted(messages: readonly Message[], contextWindow: number) {
  let requests = 0;
  const provider: ModelProvider = {
    async *stream() {
      requests += 1;
      yield {
        type: 'response_end',
        content: [{ type: 'text', text: 'Summary.' }],
        stopReason: 'stop',
        id: 'r',
        model: 'm',
      } as never;
    },
  };
  const task: CompactionTask = {
    provider,
    request: { model: 'm', systemPrompt: 'Be brief.', messages, tools: [], sampling: {} },
    counter: new TokenCounter(),
    contextWindow,
    keep: 0.25,
    reason: 'threshold',
    signal: new AbortController().signal,
  };
  const events: AgentEvent[] = [];
  const run = compact(task);
  for (let next = await run.next(); ; next = await run.next()) {
    if (next.done) return { end: next.value, events, requests };
    events.push(next.value);
  }
}

describe('compaction of a conversation with images', () => {
  it('drops earlier images first, with a word, and asks for no summary when that is enough', async () => {
    const messages = [user('one'), answer('1'), user('two'), answer('2'), user('three')];
    const { end, events, requests } = await compacted(messages, 4_000);
    assert.equal(requests, 0);
    assert.equal(end.kind, 'compacted');
    const kept = end.kind === 'compacted' ? end.messages : [];
    const note = '[An image was here. It was left out to fit the context window.]';
    assert.deepEqual(kept, [
      { role: 'user', content: `${note}\n\none` },
      answer('1'),
      { role: 'user', content: `${note}\n\ntwo` },
      answer('2'),
      user('three'),
    ]);
    const event = events.find(({ type }) => type === 'compaction');
    assert.ok(event?.type === 'compaction' && event.dropsImages === 'earlier');
    assert.deepEqual(applyCompaction(messages, event), kept);
  });

  it('summarises the rest when that is not enough', async () => {
    const long = 'word '.repeat(3_000);
    const { end, requests } = await compacted([user(long), answer(long), user('two')], 8_000);
    assert.equal(requests, 1);
    assert.ok(end.kind === 'compacted');
    assert.match(JSON.stringify(end.messages[0]), /Summary\./);
    assert.deepEqual(end.messages.at(-1), user('two'));
  });

  it('drops the images of the newest message only when they cannot fit', async () => {
    const many: Message = { role: 'user', content: [image, image, image, { type: 'text', text: 'all' }] };
    const { end } = await compacted([user('one'), answer('1'), many], 2_048);
    assert.ok(end.kind === 'compacted');
    assert.doesNotMatch(JSON.stringify(end.messages), /base64/);
    assert.match(JSON.stringify(end.messages.at(-1)), /left out to fit the context window\.\].*all/);
  });
});
