import assert from 'node:assert/strict';
import type { Activity, SessionState } from '../../../../src/agent/view/sessionView';
import { pausedText, statusText, type StatusFacts } from '../../../../src/host/attention/statusText';

const idle: StatusFacts = {
  connection: { kind: 'connected', baseUrl: 'http://h', serverName: 'llama.cpp', isConfigured: true },
  model: 'coder-7b',
  questions: [],
  running: [],
  tokensPerSecond: undefined,
  local: '',
  servedAt: undefined,
};

function textOf(facts: Partial<StatusFacts>): string {
  return statusText({ ...idle, ...facts }).text;
}

function textWhile(activity: Partial<Activity>, tokensPerSecond?: number): string {
  const running = [
    { state: 'running' as const, items: [], activity: { status: 'prefilling', sinceMs: 0, ...activity } as Activity },
  ];
  return textOf({ running, tokensPerSecond });
}

describe('statusText', () => {
  it('names the model while nothing runs', () => {
    assert.deepEqual(statusText(idle), {
      text: '$(robot) coder-7b',
      tooltip: 'Open Agent: coder-7b\nClick for a menu.',
      isWarning: false,
    });
  });

  it('says what the model does', () => {
    const progress = { total: 100, processed: 43, cached: 0 };
    assert.equal(textWhile({ progress }), '$(loading~spin) coder-7b: reading 43 %');
    assert.equal(textWhile({}), '$(loading~spin) coder-7b: reading');
    assert.equal(textWhile({ status: 'generating' }, 38.2), '$(loading~spin) coder-7b: writing 38 tokens/s');
    assert.equal(textWhile({ status: 'generating' }), '$(loading~spin) coder-7b: writing');
    assert.equal(textWhile({ status: 'stalled' }), '$(loading~spin) coder-7b: stalled');
    assert.equal(textWhile({ status: 'loading_model' }), '$(loading~spin) coder-7b: loading the model');
    const states: readonly SessionState[] = ['running', 'stopping'];
    assert.deepEqual(
      states.map((state) => textOf({ running: [{ state, items: [] }] })),
      ['$(loading~spin) coder-7b: working', '$(loading~spin) coder-7b: stopping'],
    );
  });

  it('does not spin while a download is paused', () => {
    assert.equal(textOf({ local: pausedText() }), '$(debug-pause) coder-7b: download paused');
    assert.equal(textOf({ local: 'downloading 43 %' }), '$(loading~spin) coder-7b: downloading 43 %');
  });

  it('says first what waits for the person', () => {
    const { text, isWarning } = statusText({
      ...idle,
      questions: [{ id: 'r', kind: 'edit', sessionId: 's' }],
      running: [{ state: 'running', items: [] }],
    });
    assert.deepEqual([text, isWarning], ['$(bell-dot) coder-7b: 1 edit waits for you', true]);
  });

  it('names the address of the endpoint', () => {
    assert.equal(textOf({ servedAt: 'http://127.0.0.1:8642/v1' }), '$(robot) coder-7b $(broadcast) 127.0.0.1:8642');
  });

  it('says why there is no model', () => {
    const none = { model: undefined };
    assert.equal(textOf({ ...none, connection: { kind: 'not_found', triedPorts: [] } }), '$(warning) no model server');
    assert.equal(textOf({ ...none, connection: { kind: 'no_models', baseUrl: 'http://h' } }), '$(warning) no model');
    const failed = { kind: 'failed', baseUrl: '', message: 'So.', isUnauthorized: false } as const;
    assert.equal(textOf({ ...none, connection: failed }), '$(warning) model server not usable');
    assert.equal(textOf({ ...none, connection: { ...failed, isResting: true } }), '$(robot) model stopped');
    const stopped = { ...failed, isResting: true, model: '/models/own-4b.gguf' };
    assert.equal(textOf({ ...none, connection: stopped }), '$(robot) own-4b.gguf (stopped)');
    assert.equal(textOf({ ...none, connection: { ...failed, isLoading: true } }), '$(robot) connecting');
    assert.equal(textOf({ ...none, connection: { kind: 'unknown' } }), '$(robot) Open Agent');
  });

  it('draws no icon and no long path that a name of a model holds', () => {
    assert.equal(textOf({ model: '/models/$(x) b.gguf' }), String.raw`$(robot) \$(x) b.gguf`);
    assert.equal(textOf({ model: 'm'.repeat(99) }), `$(robot) ${'m'.repeat(29)}…`);
  });
});
