import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/sdk/run/conversation';
import { AgentError } from '../../../../src/sdk/errors';
import type { AssistantMessage, Message, ToolResultBlock } from '../../../../src/sdk/messages';
import { toolUse } from '../../../support/servers/scriptedProvider';

const result = (toolUseId: string): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content: 'r',
  isError: false,
});
const asked: AssistantMessage = {
  role: 'assistant',
  content: [toolUse('a', 'x'), toolUse('b', 'x'), toolUse('c', 'x')],
};
const answer = (id: string): Message => ({ role: 'tool', content: result(id) });

describe('Conversation', () => {
  it('keeps results in the order of the calls, whenever they come', () => {
    const conversation = new Conversation([]);
    conversation.addAssistant(asked);
    conversation.addResult(result('b'));
    assert.deepEqual(conversation.messages, [asked]);
    conversation.addResult(result('a'));
    assert.deepEqual(conversation.messages, [asked, answer('a'), answer('b')]);
    assert.deepEqual(conversation.openCalls, [{ id: 'c', name: 'x' }]);
    conversation.addResult(result('c'));
    assert.deepEqual(conversation.messages, [asked, answer('a'), answer('b'), answer('c')]);
  });

  it('rejects a result without an open call, also an early one given twice', () => {
    const conversation = new Conversation([asked, answer('a')]);
    conversation.addResult(result('c'));
    for (const id of ['a', 'c', 'z']) {
      assert.throws(
        () => conversation.addResult(result(id)),
        (error) => error instanceof AgentError && error.code === 'invalid_state' && error.message.includes(`"${id}"`),
      );
    }
  });

  it('counts an unreadable call as open', () => {
    const unreadable = { type: 'tool_use_error', error: 'bad', toolUseId: 'a', toolName: 'x' } as const;
    const conversation = new Conversation([{ role: 'assistant', content: [unreadable] }]);
    assert.deepEqual(conversation.openCalls, [{ id: 'a', name: 'x' }]);
  });

  it('tells two calls with one id apart', () => {
    const twins: AssistantMessage = { role: 'assistant', content: [toolUse('a', 'x'), toolUse('a', 'y')] };
    const conversation = new Conversation([twins]);
    conversation.addResult(result('a'));
    assert.deepEqual(conversation.openCalls, [{ id: 'a', name: 'y' }]);
  });
});
