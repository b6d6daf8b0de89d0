import assert from 'node:assert/strict';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import type { Turn } from '../../support/servers/modelServer';

/**
 * LM Studio gives a prompt that is too long for a GGUF model a whole stream without a word. Its usage tells.
 * Source: lmstudio-ai/lmstudio-bug-tracker#2339. LM Studio itself cannot be had for tests, so this plays it.
 */
function silence(promptTokens: number): Turn {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
  const usage = { prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: promptTokens };
  const stop = [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }];
  return { kind: 'raw', writes: [chunk(stop), chunk([], { usage }), 'data: [DONE]\n\n'] };
}

describe('LM Studio with a model whose window is smaller than known', () => {
  const cli = useCommandLine({ files: { 'long.txt': 'a line with words of its own\n'.repeat(500) } });

  beforeEach(() => {
    const missing = { status: 404, body: { error: 'Unexpected endpoint' } };
    cli.server.setRoute('/props', missing);
    cli.server.setRoute('/v1/models', {
      status: 200,
      body: { data: [{ id: 'm', object: 'model', owned_by: 'organization_owner' }] },
    });
    showLoaded(undefined);
  });

  /** The window of the loaded model. It is known only after the first prompt has loaded it. */
  function showLoaded(tokens: number | undefined): void {
    const instances = tokens === undefined ? [] : [{ id: 'm', config: { context_length: tokens } }];
    cli.server.setRoute('/api/v1/models', {
      status: 200,
      body: { models: [{ key: 'm', type: 'llm', max_context_length: 32_768, loaded_instances: instances }] },
    });
  }

  const readLong: Turn = { toolCalls: [{ name: 'read_file', arguments: { path: 'long.txt' } }] };
  const flags = (): readonly string[] => [...cli.flags.filter((flag) => flag !== 'test-model'), '-p', 'Read long.txt.'];

  it('compacts once and goes on when an answer has no word because the prompt does not fit', async () => {
    cli.server.script(
      readLong,
      () => {
        showLoaded(4_096);
        return silence(4_900);
      },
      { text: 'long.txt was read.' },
      { text: 'The file is long.' },
    );
    const ended = await cli.run(flags());
    assert.deepEqual([ended.code, ended.stdout], [0, 'The file is long.\n'], ended.stderr);
    assert.match(ended.stderr, /The conversation was summarised: about 4900 tokens became \d{4}\./);
    assert.match(cli.server.completions.at(-1)?.text ?? '', /Summary of them:\\n\\nlong\.txt was read\./);
  });

  it('says that a short prompt has an empty answer', async () => {
    showLoaded(32_768);
    cli.server.script(readLong, silence(4_900));
    const ended = await cli.run(flags());
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, /The answer of \S+ is empty\. Try again, or rephrase the prompt\./);
    assert.equal(cli.server.completions.length, 2);
  });
});
