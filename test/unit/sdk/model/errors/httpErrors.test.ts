import assert from 'node:assert/strict';
import {
  describeFetchError,
  describeForeignBody,
  describeHttpError,
  describeStreamFailure,
  isContextOverflow,
  isModelLoading,
  serverMessage,
} from '../../../../../src/sdk/model/errors/httpErrors';
import { recording } from '../streamFixtures';

const url = 'http://localhost:8080/v1/chat/completions';

interface Recorded {
  readonly status: number;
  readonly body: string;
}

function recordedError(name: string): Recorded {
  return JSON.parse(recording(name).toString('utf8')) as Recorded;
}

describe('serverMessage', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['an error object', '{"error":{"message":"no","code":1}}', 'no'],
    ['an error text', '{"error":"no"}', 'no'],
    ['an object that is an error', '{"object":"error","message":"no"}', 'no'],
    ['a detail', '{"detail":"no"}', 'no'],
    ['a list of details', '{"detail":[{"loc":["body"],"msg":"a"},{"msg":"b"}]}', 'a; b'],
    ['plain text', ' no \n', 'no'],
    ['JSON of another shape', '{"x":1}', '{"x":1}'],
    ['a web page', '<!DOCTYPE html><style>b{}</style><h1>502</h1>\n<p>Bad &amp; gone</p>', '502 Bad & gone'],
  ];
  for (const [name, body, message] of cases) it(`reads ${name}`, () => assert.equal(serverMessage(body), message));

  it('keeps at most 2,000 characters, and only the text of a web page', () => {
    assert.equal(serverMessage('x'.repeat(5_000_000)).length, 2_001);
    assert.equal(serverMessage(`<html>${'<p>x</p>'.repeat(700_000)}`), `${'x '.repeat(1_000)}…`);
  });
});

describe('describeHttpError', () => {
  const page = '<html><body>Welcome to nginx</body></html>';
  const cases: readonly (readonly [string, Parameters<typeof describeHttpError>[0], string, RegExp])[] = [
    [
      '401 without a key',
      { url, status: 401, body: '{"error":"no key"}' },
      'unauthorized',
      /set one\. It says: no key/,
    ],
    ['403 with a key', { url, status: 403, body: '', hasApiKey: true }, 'unauthorized', /Check the API key\./],
    [
      '404 with a model',
      { url, status: 404, body: '{"error":"model not found"}', model: 'q' },
      'not_found',
      /It says: model not found .*"q"/,
    ],
    ['500', { url, status: 500, body: 'CUDA error' }, 'server_error', /\(500\)\. It says: CUDA error/],
    ['another 4xx', { url, status: 422, body: '{"detail":"bad"}' }, 'bad_request', /\(422\)\. It says: bad/],
    ['a web page', { url, status: 404, body: page }, 'not_openai_compatible', /web page.*Welcome to nginx.*base URL/],
    ['a gateway’s page', { url, status: 502, body: page }, 'server_error', /Welcome to nginx/],
    [
      'a redirect',
      { url, status: 307, body: '', location: 'http://u:p@other/v1' },
      'not_openai_compatible',
      /redirects to http:\/\/other\/v1/,
    ],
    [
      'a model that did not load',
      { url, status: 500, body: '{"error":"timed out waiting for llama runner to start"}' },
      'model_loading',
      /not loaded/,
    ],
  ];
  for (const [name, answer, code, message] of cases) {
    it(`${name}: ${code}`, () => {
      const error = describeHttpError(answer);
      assert.equal(error.code, code);
      assert.equal(error.status, answer.status);
      assert.match(error.message, message);
      assert.ok(error.message.includes(url));
    });
  }

  it('recognises the recorded context overflow and the failure to parse arguments', () => {
    const overflow = describeHttpError({ url, ...recordedError('error-context-overflow.json') });
    assert.equal(overflow.code, 'context_overflow');
    assert.match(overflow.message, /request \(5030 tokens\) exceeds the available context size \(2048 tokens\)/);
    const bad = describeHttpError({ url, ...recordedError('error-bad-tool-arguments-in-history.json') });
    assert.equal(bad.code, 'server_error');
  });

  it('keeps the sizes that the server sends beside its message', () => {
    const error = {
      code: 400,
      message:
        'the request exceeds the available context size. try increasing the context size or enable context shift',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 5030,
      n_ctx: 2048,
    };
    const { message } = describeHttpError({ url, status: 400, body: JSON.stringify({ error }) });
    assert.ok(message.endsWith('or enable context shift (n_prompt_tokens 5030, n_ctx 2048)'), message);
  });

  it('names the limit and the length of the prompt', () => {
    const words = 'request (5030 tokens) exceeds the available context size (2048 tokens), try increasing it';
    const { code, contextLimit, promptTokens } = describeHttpError({ url, status: 400, body: words });
    assert.deepEqual(
      { code, contextLimit, promptTokens },
      { code: 'context_overflow', contextLimit: 2048, promptTokens: 5030 },
    );
    const silent = describeHttpError({ url, status: 500, body: 'context size has been exceeded' });
    assert.deepEqual(Object.keys(silent), ['code', 'message', 'status']);
  });

  it('recognises the recorded answer of a server that loads its model', () => {
    const { status, body } = recordedError('error-loading.json');
    assert.ok(isModelLoading(status, body));
    assert.ok(!isModelLoading(503, 'Service unavailable'));
    assert.ok(!isModelLoading(500, body));
  });
});

describe('isContextOverflow', () => {
  const overflows = [
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    '{"error":{"code":"context_length_exceeded"}}',
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "You passed 5030 input tokens and requested 1 output tokens. However, the model's context length is only 2048 tokens, resulting in a maximum input length of 2047 tokens.",
    'Reached context length of 2048 tokens with this model',
    'Input validation error: `inputs` must have less than 2048 tokens. Given: 5030',
    'the input length exceeds the context length',
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
    'Prompt length 5000 is greater than max_seq_len 4096',
    'prompt is too long: 5000 tokens > 4096 maximum',
    'input length and `max_tokens` exceed context limit: 5000 + 4096 > 8192',
    '{"error":"context length exceeded"}',
    '{"object":"error","message":"This model\'s maximum context length is 4096 tokens."}',
    '{"detail":"Requested tokens (5000) exceed context window of 4096"}',
    '{"error":{"message":"Too long","type":"exceed_context_size_error"}}',
  ];
  for (const body of overflows) it(`knows "${body.slice(0, 50)}…"`, () => assert.ok(isContextOverflow(body)));

  for (const body of [
    'out of memory',
    'The request is too large',
    'invalid context',
    'rate limit: 4096 tokens per minute',
    // A server that repeats the request: the words are those of a tool's result.
    JSON.stringify({
      detail: [
        { msg: 'Field required', input: { role: 'tool', content: 'prompt is too long: "context_length_exceeded"' } },
      ],
    }),
  ]) {
    it(`is not "${body}"`, () => assert.ok(!isContextOverflow(body)));
  }
});

describe('describeFetchError', () => {
  const wrapped = (code: string, message = code): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
  const cases: readonly (readonly [string, Error, RegExp])[] = [
    ['a refused connection', wrapped('ECONNREFUSED'), /refused.*listen at localhost:8080/],
    [
      'several refused ones',
      Object.assign(new AggregateError([wrapped('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
      /refused/,
    ],
    ['an unknown host', wrapped('ENOTFOUND'), /no host named localhost/],
    ['a reset', wrapped('ECONNRESET'), /closed the connection before it answered/],
    ['TLS on a plain port', wrapped('ERR_SSL_WRONG_VERSION_NUMBER'), /http:\/\/ or https:\/\//],
    ['what is no HTTP', wrapped('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'), /does not speak HTTP/],
    ['a private authority', wrapped('DEPTH_ZERO_SELF_SIGNED_CERT'), /NODE_EXTRA_CA_CERTS/],
    ['anything else', new Error('odd'), /: odd$/],
  ];
  for (const [name, error, message] of cases) {
    it(`names the URL and what to check for ${name}`, () => {
      const info = describeFetchError(error, { url });
      assert.equal(info.code, 'connection');
      assert.match(info.message, message);
      assert.ok(info.message.includes(url));
    });
  }
});

describe('describeForeignBody and describeStreamFailure', () => {
  it('repeat the beginning of the body', () => {
    const info = describeForeignBody({ url, status: 200, body: `hello ${'x'.repeat(900)}` });
    assert.equal(info.code, 'not_openai_compatible');
    assert.match(info.message, /"hello x{194}…"/);
  });

  it('tell a broken connection from a silent one', () => {
    const broken = describeStreamFailure(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), { url });
    assert.deepEqual([broken.code, /broke during .*ECONNRESET/.test(broken.message)], ['stream_broken', true]);
    const empty = describeStreamFailure(undefined, { url });
    assert.deepEqual([empty.code, /without an answer/.test(empty.message)], ['stream_broken', true]);
  });
});
