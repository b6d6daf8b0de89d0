import assert from 'node:assert/strict';
import type { DoctorOptions } from '../../../../../src/agent/servers/doctor/doctor';
import type { CheckId, Finding } from '../../../../../src/agent/view/server/doctorReport';
import {
  callText,
  examine,
  startDoctorServer,
  type DoctorServerOptions,
} from '../../../../support/servers/doctorServer';
import type { Turn } from '../../../../support/servers/modelServer';

interface Case {
  readonly name: string;
  readonly server?: DoctorServerOptions | undefined;
  readonly options?: Partial<DoctorOptions> | undefined;
  readonly status: Finding['status'];
  readonly detail: RegExp;
  readonly remedy?: RegExp | undefined;
}

const refuses = (status: number, message: string): Turn => ({ kind: 'status', status, body: { error: { message } } });
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 9 } })}\n\n`;
const pieces = Array.from({ length: 12 }, (_, index) => chunk({ content: `${index} ` }));
const done = 'data: [DONE]\n\n';
const raw = (...writes: readonly string[]): Turn => ({ kind: 'raw', writes });
const call = (args: unknown): object => ({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'get_word', arguments: args } }],
});
const settings = (changes: Partial<DoctorOptions['settings']>): Partial<DoctorOptions> => ({
  settings: { contextWindow: null, maxTokens: null, ...changes },
});

const cases: Readonly<Record<CheckId, readonly Case[]>> = {
  server: [
    {
      name: 'names the server',
      status: 'ok',
      detail: /^llama\.cpp answers at http:\/\/127\.0\.0\.1:\d+\/v1 and lists 1 model\.$/,
    },
    {
      name: 'says that no address is known',
      options: { baseUrl: '' },
      status: 'problem',
      detail: /no model server answers/,
      remedy: /"setting":"openAgent\.baseUrl"/,
    },
    {
      name: 'asks for the key that is missing',
      server: { apiKey: 'sk-12345678' },
      status: 'problem',
      detail: /401/,
      remedy: /"action":"setApiKey"/,
    },
    {
      name: 'says that the key is taken',
      server: { apiKey: 'sk-12345678' },
      options: { apiKey: 'sk-12345678' },
      status: 'ok',
      detail: /accepts the API key/,
    },
    {
      name: 'names a port where nothing listens',
      options: { baseUrl: 'http://127.0.0.1:9/v1' },
      status: 'problem',
      detail: /refused/,
      remedy: /Start the server/,
    },
    {
      name: 'repeats no password of an address',
      options: { baseUrl: 'http://me:hunter2@gpu/v1' },
      status: 'problem',
      detail: /must not contain a user name or password/,
      remedy: /Correct the address/,
    },
  ],
  model: [
    { name: 'measures the wait', status: 'ok', detail: /^test-model answers\. It began to answer after 0\.4 s\.$/ },
    {
      name: 'says that the model is not listed, and works',
      options: { model: 'other' },
      status: 'advice',
      detail: /does not list other, but test-model\. It answers anyway/,
      remedy: /"action":"selectModel"/,
    },
    {
      name: 'says that the model is not there',
      server: { replies: { plain: refuses(404, 'model "other" not found') } },
      options: { model: 'other' },
      status: 'problem',
      detail: /does not list other.*not found/,
      remedy: /"action":"selectModel"/,
    },
    {
      name: "gives the server's own words when it fails",
      server: { replies: { plain: refuses(500, 'out of memory') } },
      status: 'problem',
      detail: /out of memory/,
      remedy: /may not fit into memory/,
    },
    {
      name: 'notes an empty answer',
      server: { replies: { plain: { text: '' } } },
      status: 'problem',
      detail: /nothing/,
      remedy: /Choose/,
    },
  ],
  streaming: [
    {
      name: 'sees an answer that streams',
      status: 'ok',
      detail: /\d+ pieces\) and ends with finish_reason and \[DONE\]\. Token counts/,
    },
    {
      name: 'sees an answer held back by a proxy',
      server: { replies: { plain: raw([...pieces, chunk({}, 'stop'), usage, done].join('')) } },
      status: 'advice',
      detail: /All 12 pieces of the answer arrived at once/,
      remedy: /proxy_buffering off/,
    },
    {
      name: 'sees an answer in one piece',
      server: {
        replies: {
          plain: {
            kind: 'raw',
            contentType: 'application/json',
            writes: [
              JSON.stringify({
                choices: [{ index: 0, message: { role: 'assistant', content: '1 2' }, finish_reason: 'stop' }],
              }),
            ],
          },
        },
      },
      status: 'advice',
      detail: /in one piece/,
      remedy: /proxy/,
    },
    {
      name: 'misses the end of the stream',
      server: { replies: { plain: raw(...pieces) } },
      status: 'problem',
      detail: /neither a finish_reason nor \[DONE\]/,
      remedy: /Update/,
    },
    {
      name: 'misses the token counts',
      server: { replies: { plain: raw(...pieces, chunk({}, 'stop'), done) } },
      status: 'advice',
      detail: /does not report token counts/,
      remedy: /include_usage/,
    },
  ],
  native_tools: [
    { name: 'sees a call', status: 'ok', detail: /^The model calls tools natively\.$/ },
    {
      name: 'sees through a finish reason that lies, an argument object and a number as text',
      server: { replies: { call: raw(chunk(call({ number: '42' })), chunk({}, 'stop'), done) } },
      status: 'ok',
      detail: /finish_reason "stop".*as an object/,
    },
    {
      name: 'reads a call in text',
      server: { replies: { call: { text: callText(42) } } },
      status: 'advice',
      detail: /came as text/,
      remedy: /--jinja/,
    },
    {
      name: 'cannot use arguments that are no JSON',
      server: { replies: { call: { toolCalls: [{ name: 'get_word', arguments: '{"number": [[[' }] } } },
      status: 'problem',
      detail: /not in a way that can be used/,
      remedy: /--jinja/,
    },
    {
      name: 'quotes what the model says instead',
      server: { replies: { call: { text: 'The word\nis heron.' } } },
      status: 'problem',
      detail: /did not call the tool\. It wrote: "The word is heron\."/,
      remedy: /--jinja/,
    },
    {
      name: 'does not judge a model that was cut off in its thoughts',
      server: { replies: { call: { thinking: 'Hm.', finishReason: 'length' } } },
      status: 'unknown',
      detail: /all 512 tokens/,
    },
  ],
  text_tools: [
    { name: 'is not needed where calls are native', status: 'skipped', detail: /^Not needed/ },
    {
      name: 'sees a call in text',
      server: { replies: { call: ({ body }) => ({ text: body.tools ? 'No.' : callText(42) }) } },
      status: 'ok',
      detail: /from now on/,
    },
    {
      name: 'says that the model calls nothing at all',
      server: { replies: { call: { text: 'No.' } } },
      status: 'problem',
      detail: /can chat, but not read or change files\. It wrote: "No\."/,
      remedy: /"action":"selectModel"/,
    },
  ],
  parallel_calls: [
    { name: 'sees two calls', status: 'ok', detail: /^Several calls/ },
    {
      name: 'finds a template that takes one call in a message only',
      server: {
        replies: {
          together: ({ body }) =>
            body.messages.some(({ tool_calls: calls }) => (calls?.length ?? 0) > 1)
              ? refuses(500, 'Jinja Exception: This model only supports single tool-calls at once!')
              : { text: 'heron and otter' },
        },
      },
      status: 'advice',
      detail: /as they should\..* one after the other/s,
    },
    {
      name: 'gives the words of a template that refuses them',
      server: { replies: { together: refuses(500, 'Jinja Exception: no way') } },
      status: 'problem',
      detail: /calls made together\..*no way/s,
    },
    {
      name: 'takes one call for a way to work',
      server: { replies: { parallel: { toolCalls: [{ name: 'get_word', arguments: { number: 1 } }] } } },
      status: 'ok',
      detail: /one call at a time/,
    },
    {
      name: 'sees calls that cannot be used',
      server: { replies: { parallel: { toolCalls: [{ name: 'get_word', arguments: '{"number":1}{"number":' }] } } },
      status: 'problem',
      detail: /cannot be used/,
    },
    {
      name: 'is skipped where the model calls no tool',
      server: { replies: { call: { text: 'No.' } } },
      status: 'skipped',
      detail: /^The model called no tool\.$/,
    },
  ],
  tool_result: [
    { name: 'sees the result used', status: 'ok', detail: /^The model reads the results of its tools\.$/ },
    {
      name: 'gives the words of a template that refuses',
      server: { replies: { result: refuses(500, 'Jinja Exception: bad role') } },
      status: 'problem',
      detail: /rejects a conversation.*Jinja Exception: bad role/,
      remedy: /--chat-template-file/,
    },
    {
      name: 'goes on in text where the template knows no results',
      server: {
        replies: {
          result: ({ body }) =>
            body.tools
              ? refuses(400, 'Conversation roles must alternate user/assistant/user/assistant/...')
              : { text: 'heron' },
        },
      },
      status: 'problem',
      detail: /described in text/,
      remedy: /--chat-template-file/,
    },
    {
      name: 'sees the same call again',
      server: { replies: { result: { toolCalls: [{ name: 'get_word', arguments: { number: 7 } }] } } },
      status: 'advice',
      detail: /repeated the call/,
      remedy: /--jinja/,
    },
    {
      name: 'sees the result ignored',
      server: { replies: { result: { text: 'I do not know.' } } },
      status: 'advice',
      detail: /did not use it\. It wrote: "I do not know\."/,
      remedy: /--jinja/,
    },
  ],
  reasoning: [
    { name: 'sees none', status: 'ok', detail: /without showing thoughts/ },
    {
      name: 'names the field',
      server: { replies: { plain: { thinking: 'Count.', text: '1 2 3' } } },
      status: 'ok',
      detail: /in reasoning_content\.$/,
    },
    {
      name: 'knows the other field',
      server: { replies: { plain: raw(chunk({ reasoning: 'Count.' }), chunk({ content: '1' }, 'stop'), usage, done) } },
      status: 'ok',
      detail: /in reasoning\.$/,
    },
    {
      name: 'sees thoughts in tags',
      server: { replies: { plain: { text: '<think>Count.</think>1 2 3' } } },
      status: 'advice',
      detail: /in tags/,
      remedy: /--reasoning-format auto/,
    },
    {
      name: 'sees thoughts that leave no room',
      server: { replies: { plain: { thinking: 'Count.', finishReason: 'length' } } },
      status: 'advice',
      detail: /for all of 512 tokens/,
      remedy: /--reasoning-budget 0/,
    },
    {
      name: 'warns of a small limit',
      server: { replies: { plain: { thinking: 'Count.', text: '1 2 3' } } },
      options: settings({ maxTokens: 1_000 }),
      status: 'advice',
      detail: /openAgent\.maxTokens allows 1000 tokens/,
      remedy: /"setting":"openAgent\.maxTokens"/,
    },
  ],
  context_window: [
    { name: 'names the loaded window', status: 'ok', detail: /^32,768 tokens, as loaded\.$/ },
    {
      name: 'names a window that is small',
      server: { contextWindow: 12_288 },
      status: 'advice',
      detail: /^12,288 tokens, as loaded\. Small tasks work/,
      remedy: /-c 32768/,
    },
    {
      name: 'names a window that is too small',
      server: { contextWindow: 4_096 },
      status: 'problem',
      detail: /too few/,
      remedy: /-c 32768/,
    },
    {
      name: 'says that the instructions alone do not fit',
      server: { contextWindow: 1_024 },
      status: 'problem',
      detail: /^1,024 tokens, as loaded: our instructions alone do not fit\.$/,
      remedy: /-c 8192/,
    },
    {
      name: 'sees a setting above what is loaded',
      server: { contextWindow: 16_384 },
      options: settings({ contextWindow: 65_536 }),
      status: 'problem',
      detail: /says 65,536 tokens, but .* 16,384/,
      remedy: /"setting":"openAgent\.contextWindow"/,
    },
    {
      name: 'warns of what Ollama does not say',
      server: { kind: 'ollama', isSilentOnWindow: true },
      status: 'advice',
      detail: /drops the start/,
      remedy: /OLLAMA_CONTEXT_LENGTH=32768/,
    },
    {
      name: 'says that nobody knows, and what is assumed',
      server: { kind: 'vllm' },
      options: { model: 'other' },
      status: 'unknown',
      detail: /does not report the context window\. Open Agent assumes 16,384 tokens\./,
      remedy: /"setting":"openAgent\.contextWindow"/,
    },
  ],
  prompt_cache: [
    { name: 'sees a cache', status: 'ok', detail: /1,500 tokens that began as the one before it, 1,400 were/ },
    {
      name: 'sees none',
      server: { cachedTokens: 0 },
      status: 'advice',
      detail: /0 were in the cache/,
      remedy: /--no-cache-prompt/,
    },
    {
      name: 'reads the timings of llama-server',
      server: {
        replies: {
          cache: raw(
            chunk({ content: 'x' }),
            `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1_500, completion_tokens: 1 }, timings: { cache_n: 1_490, prompt_n: 10, predicted_n: 1 } })}\n\n`,
            done,
          ),
        },
      },
      status: 'ok',
      detail: /1,500 tokens .* 1,490 were/,
    },
    {
      name: 'takes silence for no evidence',
      server: { cachedTokens: null },
      status: 'unknown',
      detail: /does not report its prompt cache/,
    },
    {
      name: "gives the server's words when it fails",
      server: { replies: { cache: refuses(500, 'boom') } },
      status: 'problem',
      detail: /boom/,
    },
  ],
  slots: [
    { name: 'likes one', status: 'ok', detail: /^One/ },
    {
      name: 'says what several cost',
      server: { slots: 4, contextWindow: 8_192 },
      status: 'advice',
      detail: /^4, each with 8,192 tokens\./,
      remedy: /-np 1/,
    },
    {
      name: 'likes several that are roomy',
      server: { slots: 2 },
      status: 'ok',
      detail: /^2, each with 32,768 tokens:/,
    },
    { name: 'says that nobody knows', server: { kind: 'vllm' }, status: 'unknown', detail: /one at a time/ },
  ],
};

describe('the checks of the doctor', () => {
  for (const [id, list] of Object.entries(cases) as [CheckId, readonly Case[]][]) {
    describe(id, () => {
      for (const { name, server: serverOptions, options, status, detail, remedy } of list) {
        it(name, async () => {
          await using server = await startDoctorServer(serverOptions);
          const { finding, report } = await examine({ baseUrl: server.baseUrl, ...options });
          const found = finding(id);
          assert.equal(found.status, status, JSON.stringify(found));
          assert.match(found.detail, detail);
          if (remedy) assert.match(JSON.stringify(found.remedy), remedy);
          else assert.equal(found.remedy, undefined);
          assert.ok(!JSON.stringify(report).includes('hunter2'));
        });
      }
    });
  }

  it('advises another model, and no flags, where Open Agent runs the server itself', async () => {
    await using server = await startDoctorServer({
      contextWindow: 3_000,
      cachedTokens: 0,
      replies: { call: { text: 'No.' } },
    });
    const { findings } = await examine({ baseUrl: server.baseUrl, isOwn: true });
    const remedies = findings.flatMap(({ remedy }) => (remedy && 'text' in remedy ? [remedy] : []));
    const own = remedies.filter(({ text }) => text.includes('Set Up a Model on This Machine'));
    assert.ok(own.length >= 3, JSON.stringify(findings));
    assert.doesNotMatch(JSON.stringify(remedies), /Start llama-server|--jinja|"-c /);
  });

  it('skips checks that need a server', async () => {
    const { outline } = await examine({ baseUrl: '' });
    assert.deepEqual(outline, [
      'server: problem',
      ...Object.keys(cases)
        .slice(1)
        .map((id) => `${id}: skipped`),
    ]);
  });

  it('runs the checks that need no answer', async () => {
    await using server = await startDoctorServer({ replies: { plain: refuses(500, 'out of memory') } });
    const { findings } = await examine({ baseUrl: server.baseUrl });
    const looked = findings.filter(({ status }) => status !== 'skipped').map(({ id }) => id);
    assert.deepEqual(looked, ['server', 'model', 'context_window', 'slots']);
  });
});
