import assert from 'node:assert/strict';
import { lookBeside } from '../../../../../src/agent/servers/model/lookBeside';
import type { ModelRequest } from '../../../../../src/sdk/model/modelProvider';
import { collect } from '../../../../support/sessions/clients';
import { ScriptedProvider, textResponse } from '../../../../support/servers/scriptedProvider';

const request: ModelRequest = { model: 'm', systemPrompt: '', messages: [], tools: [], sampling: {} };

describe('lookBeside', () => {
  it('does not wait for a silent server, and probes again with the next request', async () => {
    const ended: boolean[] = [];
    const provider = lookBeside(new ScriptedProvider([textResponse('one'), textResponse('two')]), {
      isKnown: () => false,
      wait: () => Promise.resolve(),
      look: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            ended.push(true);
            resolve(undefined);
          });
        }),
    });
    const { signal } = new AbortController();
    assert.equal((await collect(provider.stream(request, { signal }))).at(-1)?.type, 'response_end');
    assert.deepEqual(ended, [true]);
    await collect(provider.stream(request, { signal }));
    assert.deepEqual(ended, [true, true]);
  });

  it('sends the request after a probe that is answered soon', async () => {
    const order: string[] = [];
    const inner = new ScriptedProvider([textResponse('one')]);
    const provider = lookBeside(
      {
        stream: (given, options) => {
          order.push('request');
          return inner.stream(given, options);
        },
      },
      {
        isKnown: () => false,
        wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
        look: async () => {
          await Promise.resolve();
          order.push('probe');
        },
      },
    );
    await collect(provider.stream(request, { signal: new AbortController().signal }));
    assert.deepEqual(order, ['probe', 'request']);
  });

  it('does not probe a known server', async () => {
    const provider = lookBeside(new ScriptedProvider([textResponse('one')]), {
      isKnown: () => true,
      look: () => assert.fail('it is known'),
    });
    await collect(provider.stream(request, { signal: new AbortController().signal }));
  });

  it('ends the probe with the request', async () => {
    let isAborted = false;
    const provider = lookBeside(new ScriptedProvider([textResponse('one')]), {
      isKnown: () => false,
      look: (signal) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return Promise.resolve();
      },
    });
    for await (const _event of provider.stream(request, { signal: new AbortController().signal })) break;
    assert.equal(isAborted, true);
  });
});
