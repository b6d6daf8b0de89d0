import assert from 'node:assert/strict';
import type { Message } from '../../../../../src/sdk/messages';
import { isSchemaRejection, learnQuirk } from '../../../../../src/sdk/model/errors/learnQuirk';
import type { ModelRequest, ToolDefinition } from '../../../../../src/sdk/model/modelProvider';
import { noQuirks, type ServerQuirks } from '../../../../../src/sdk/model/wire/serverQuirks';
import { tools } from '../streamFixtures';

const url = 'http://localhost:8080/v1/chat/completions';
const user: Message = { role: 'user', content: 'The server says: gemma does not support tools' };
const request: ModelRequest = { model: 'gemma', systemPrompt: '', messages: [user], tools, sampling: {} };

function call(text: string): Message {
  const content = [
    { type: 'text' as const, text },
    { type: 'tool_use' as const, id: '1', name: 'read_file', input: { path: 'a' } },
  ];
  return { role: 'assistant', content: text === '' ? content.slice(1) : content };
}

const result: Message = {
  role: 'tool',
  content: { type: 'tool_result', toolUseId: '1', content: 'text', isError: false },
};

function foreign(name: string, schema: ToolDefinition['inputSchema']): ToolDefinition {
  return { name, description: name, inputSchema: { type: 'object', properties: { a: schema } } };
}

interface Case {
  readonly status?: number;
  /** The server's words, put into an envelope; or a whole body. */
  readonly body: string;
  readonly request?: Partial<ModelRequest>;
  readonly quirks?: Partial<ServerQuirks>;
}

/** What changes; `undefined`: nothing is learned. */
function changes({ status = 400, body, request: other = {}, quirks: known = {} }: Case): unknown {
  const quirks = { ...noQuirks, ...known };
  const whole = body.startsWith('{') ? body : JSON.stringify({ error: { message: body } });
  const learned = learnQuirk({ url, status, body: whole }, { ...request, ...other }, quirks);
  if (!learned) return undefined;
  assert.match(learned.message, /^http:\/\/localhost:8080/);
  const entries = Object.entries(learned.quirks);
  return Object.fromEntries(entries.filter(([key, value]) => value !== quirks[key as keyof ServerQuirks]));
}

describe('learnQuirk', () => {
  for (const body of ["'response_format.type' must be 'json_object'", 'failed to parse grammar']) {
    it(`asks for no format after: ${body}`, () => {
      const responseFormat = { name: 'answer', schema: { type: 'object' } };
      assert.deepEqual(changes({ body, request: { responseFormat, tools: [] } }), { responseFormat: false });
      const again = changes({ body, request: { responseFormat, tools: [] }, quirks: { responseFormat: false } });
      assert.equal(again, undefined);
      assert.equal(changes({ body, request: { tools: [] } }), undefined);
    });
  }

  const noTools: readonly (readonly [string, number])[] = [
    ['registry.ollama.ai/library/gemma:2b does not support tools', 400],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ['tools param requires --jinja flag', 500],
    ['Tool calling is not supported for this model.', 400],
  ];
  for (const [body, status] of noTools) {
    it(`describes tools in text after: ${body}`, () => {
      assert.deepEqual(changes({ body, status }), { tools: 'text' });
      assert.equal(changes({ body, status, quirks: { tools: 'text' } }), undefined);
      assert.equal(changes({ body, status, request: { tools: [] } }), undefined);
    });
  }

  it('names what to change on the server', () => {
    const message = (words: string): string | undefined =>
      learnQuirk({ url, status: 400, body: words }, request, noQuirks)?.message;
    assert.match(message('tools param requires --jinja flag') ?? '', /Start llama-server with --jinja\./);
    assert.match(
      message('"auto" tool choice requires --enable-auto-tool-choice') ?? '',
      /Start vLLM with --enable-auto/,
    );
    assert.match(message('gemma does not support tools') ?? '', /Use a model whose template has tools/);
    assert.match(message('Cannot use tools with stream') ?? '', /A newer version/);
  });

  it('describes tools in text when the template rejects their results', () => {
    const body = 'Only user and assistant roles are supported!';
    assert.deepEqual(changes({ body, status: 500, request: { messages: [user, call(''), result] } }), {
      tools: 'text',
    });
    assert.equal(changes({ body, status: 500 }), undefined);
  });

  for (const body of [
    // Gemma 2 through llama-server, vLLM, LM Studio
    "Jinja Exception: System role not supported at row 1, column 40: {{ raise_exception('System role not supported') }}",
    'System role not supported',
    'This model does not support system messages.',
    'Unexpected role: system',
    'Developer instruction is not enabled for models/gemma-3-27b-it',
    // Mistral
    'Conversation roles must alternate user/assistant/user/assistant/...',
    'Only user and assistant roles are supported!',
  ]) {
    it(`puts the system prompt into the first user message after: ${body}`, () => {
      const withSystem = { systemPrompt: 'Be brief.' };
      for (const status of [400, 500]) {
        assert.deepEqual(changes({ body, status, request: withSystem }), { systemPrompt: 'user' });
      }
      assert.equal(changes({ body, request: withSystem, quirks: { systemPrompt: 'user' } }), undefined);
      assert.equal(changes({ body, request: { systemPrompt: '' } }), undefined);
      const told = changes({ body, request: { systemPrompt: '' }, quirks: { tools: 'text' } });
      assert.deepEqual(told, { systemPrompt: 'user' });
    });
  }

  it('suspects tool results before the system prompt, where the message may mean both', () => {
    const body = 'Conversation roles must alternate user/assistant/user/assistant/...';
    const both = { systemPrompt: 'Be brief.', messages: [user, call(''), result] };
    assert.deepEqual(changes({ body, request: both }), { tools: 'text' });
    assert.deepEqual(changes({ body, request: both, quirks: { tools: 'text' } }), { systemPrompt: 'user' });
    assert.deepEqual(changes({ body: 'System role not supported', request: both }), { systemPrompt: 'user' });
  });

  for (const body of [
    'The system is not available',
    'The system prompt is too long for this model',
    "role 'system' is fine, temperature is not supported",
  ]) {
    it(`leaves the system prompt where it is after: ${body}`, () => {
      assert.equal(changes({ body, request: { systemPrompt: 'Be brief.' } }), undefined);
    });
  }

  it('stops streaming where tools and streaming exclude each other', () => {
    const body = 'Cannot use tools with stream';
    assert.deepEqual(changes({ body, status: 500 }), { streamWithTools: false });
    assert.equal(changes({ body, quirks: { streamWithTools: false } }), undefined);
  });

  it('stops sending stream_options', () => {
    const body = 'Unrecognized request argument supplied: stream_options';
    assert.deepEqual(changes({ body }), { streamOptions: false });
    assert.equal(changes({ body, quirks: { streamOptions: false } }), undefined);
    const pydantic =
      '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}';
    assert.deepEqual(changes({ body: pydantic, status: 422 }), { streamOptions: false });
  });

  it('sends no earlier reasoning after the server rejected its field', () => {
    const bodies = [
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
      '{"detail":[{"type":"extra_forbidden","loc":["body","messages",2,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]}',
    ];
    for (const body of bodies) {
      assert.deepEqual(changes({ body }), { takesReasoning: false });
      assert.equal(changes({ body, quirks: { takesReasoning: false } }), undefined);
      assert.equal(changes({ body, status: 500 }), undefined);
    }
  });

  it('learns nothing from parts of the request that the server repeats', () => {
    const echo = JSON.stringify({ detail: [{ loc: ['body', 'messages'], msg: 'Field required', input: request }] });
    assert.equal(changes({ body: echo, status: 422 }), undefined);
    assert.equal(changes({ body: 'Internal error', status: 500 }), undefined);
    assert.equal(changes({ body: '', status: 500 }), undefined);
  });

  it('strips schemas that cannot be compiled, then leaves it to a search which tool is meant', () => {
    const odd = foreign('odd', { type: 'string', format: 'uri', anyOf: [{ not: {} }] });
    const other = foreign('other', { type: 'string', contentEncoding: 'base64' });
    const given = { tools: [...tools, other, odd] };
    const llama =
      'Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at ' +
      '#/properties/a: unrecognized type strange';
    for (const body of ['failed to parse grammar', "Pattern must start with '^' and end with '$'", llama]) {
      assert.deepEqual(changes({ body, status: 500, request: given }), { strippedSchemas: 'limits' });
      assert.equal(changes({ body, status: 500, request: given, quirks: { strippedSchemas: 'limits' } }), undefined);
      assert.equal(changes({ body, status: 500, request: given, quirks: { strippedSchemas: true } }), undefined);
      assert.equal(isSchemaRejection(body), true);
    }
    assert.equal(
      isSchemaRejection('Unable to generate parser for this template. Only user roles are supported!'),
      false,
    );
  });

  const keywords: readonly (readonly [string, string])[] = [
    ['maxLength', "Invalid schema: keyword 'maxLength' is not supported"],
    ['minItems', 'Unsupported JSON schema feature: minItems at tools[2]'],
    ['maxItems', 'tools.3.function.parameters.properties.a.maxItems: Extra inputs are not permitted'],
    ['format', 'the value of "format" is not allowed here'],
    ['minLength', 'minLength, unknown keyword'],
  ];
  for (const [keyword, body] of keywords) {
    it(`strips ${keyword} after: ${body}`, () => {
      const given = { tools: [...tools, foreign('odd', { type: 'string', [keyword]: 3 })] };
      assert.deepEqual(changes({ body, request: given }), { strippedSchemas: 'limits' });
      assert.equal(changes({ body }), undefined);
    });
  }

  it('leaves out limits of values first, then forms, and forms first where the server names them', () => {
    const limited = foreign('limited', { type: 'string', maxLength: 3 });
    const formed = foreign('formed', { oneOf: [{ type: 'string' }] });
    const step = (
      body: string,
      foreignTools: readonly ToolDefinition[],
      strippedSchemas: ServerQuirks['strippedSchemas'],
    ): unknown => changes({ body, request: { tools: [...tools, ...foreignTools] }, quirks: { strippedSchemas } });
    const unknown = 'failed to parse grammar';
    assert.deepEqual(step(unknown, [limited, formed], false), { strippedSchemas: 'limits' });
    assert.deepEqual(step(unknown, [limited, formed], 'limits'), { strippedSchemas: true });
    assert.equal(step(unknown, [limited, formed], true), undefined);
    assert.equal(step(unknown, [limited], 'limits'), undefined);
    assert.deepEqual(step(unknown, [formed], false), { strippedSchemas: 'forms' });
    for (const words of [
      'cannot resolve $ref #/$defs/none, $defs not found',
      'unsupported $ref https://example.invalid/a, only references into the same document are supported',
      'unrecognized type strange',
      'enum must be a non-empty array',
      'schema must be an object',
    ]) {
      // llama-server 0.7.0.
      const body = `Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #/properties/a: ${words}`;
      assert.deepEqual(step(body, [limited, formed], false), { strippedSchemas: 'forms' }, words);
      assert.deepEqual(step(body, [limited, formed], 'forms'), { strippedSchemas: true }, words);
      assert.deepEqual(step(body, [limited], false), { strippedSchemas: 'limits' }, words);
    }
  });

  it('strips nothing after words that only hold the name of a keyword', () => {
    const given = { tools: [...tools, foreign('odd', { type: 'string', format: 'uri' })] };
    for (const body of ['Unsupported image format', 'The pattern is unknown', 'maxLength of the queue reached']) {
      assert.equal(changes({ body, request: given }), undefined, body);
    }
  });

  it('drops the tool that the server names', () => {
    const given = { tools: [...tools, foreign('first', { not: {}, if: {} }), foreign('second', { not: {} })] };
    const quirks = { strippedSchemas: true };
    const body = "Invalid schema for function 'second': not";
    assert.deepEqual(changes({ body, request: given, quirks }), { droppedTools: ['second'] });
    const numbered = 'tools[4].function.parameters: invalid JSON schema';
    assert.deepEqual(changes({ body: numbered, request: given, quirks }), { droppedTools: ['second'] });
  });

  it('never drops a plain tool', () => {
    assert.equal(changes({ body: 'failed to parse grammar' }), undefined);
  });

  it('sends null beside tool calls, first for empty texts only', () => {
    const body = 'Assistant message must have either content or tool_calls, but not both.';
    const empty = { messages: [user, call(''), result] };
    const both = { messages: [user, call(''), result, user, call('I look.'), result] };
    assert.deepEqual(changes({ body, request: both }), { callContent: 'null_if_empty' });
    assert.deepEqual(changes({ body, request: both, quirks: { callContent: 'null_if_empty' } }), {
      callContent: 'null',
    });
    assert.equal(changes({ body, request: empty, quirks: { callContent: 'null_if_empty' } }), undefined);
    assert.equal(changes({ body, request: both, quirks: { callContent: 'null' } }), undefined);
  });

  it('sends ids of nine characters where the template wants them', () => {
    for (const body of [
      // llama-server b11669 with the template of Mistral Nemo.
      'Unable to generate parser for this template. Automatic parser generation failed: \n------------\nError: Jinja Exception: Tool call IDs should be alphanumeric strings with length 9!',
      'Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9.',
    ]) {
      assert.deepEqual(changes({ body }), { callIds: 'nine' });
      assert.equal(changes({ body, quirks: { callIds: 'nine' } }), undefined);
    }
    assert.equal(changes({ body: 'Tool call ids must be strings' }), undefined);
  });

  it('sends calls made together one after the other where the template wants it', () => {
    // llama-server b11669 with the template of Llama 3.1.
    const body =
      'Unable to generate parser for this template. Automatic parser generation failed: \n------------\nError: Jinja Exception: This model only supports single tool-calls at once!';
    const twice = call('');
    const together: Message = { ...twice, content: [twice.content, twice.content].flat() } as Message;
    assert.deepEqual(changes({ body, request: { messages: [user, together, result] } }), { callsTogether: false });
    assert.equal(changes({ body, request: { messages: [user, call(''), result] } }), undefined);
    const known = { callsTogether: false };
    assert.equal(changes({ body, request: { messages: [user, together, result] }, quirks: known }), undefined);
  });

  it('asks for no more tokens than are allowed', () => {
    const body =
      'max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.';
    const asked = { sampling: { maxTokens: 8_192 } };
    assert.deepEqual(changes({ body, request: asked }), { maxTokensCap: 4_096 });
    assert.deepEqual(changes({ body: 'max_tokens must be in the range [1, 2048]', request: asked }), {
      maxTokensCap: 2_048,
    });
    assert.equal(changes({ body, request: asked, quirks: { maxTokensCap: 4_096 } }), undefined);
    assert.equal(changes({ body }), undefined);
  });

  it('learns nothing from a full context', () => {
    const body =
      "'max_tokens' is too large: 4096. This model's maximum context length is 8192 tokens and your request has 5000 input tokens.";
    assert.equal(changes({ body, request: { sampling: { maxTokens: 4_096 } } }), undefined);
  });

  /** Words that look like those that teach a quirk, and mean something else. */
  const twins: Readonly<Record<keyof ServerQuirks, readonly (string | Case)[]>> = {
    streamOptions: ['Unrecognized request argument supplied: stream', { body: 'stream_options failed', status: 500 }],
    promptProgress: ['No progress was made', { body: 'return_progress failed', status: 500 }],
    streamWithTools: ['The stream of the tool ended', 'Cannot open the stream'],
    tools: ['The tool read_file does not exist', 'The tool calls were malformed', 'Unknown parameter: tool'],
    systemPrompt: [
      'The system is not available',
      'The role of the last message must be user',
      'The system memory is full',
    ],
    takesReasoning: [
      'The reasoning effort is unsupported',
      { body: "property 'reasoning_content' is odd", status: 500 },
    ],
    callContent: ['The content of the file must be text', 'Tool calls must have a name'],
    callIds: ['Tool call ids must be strings', 'The tool call has a length of 9'],
    callsTogether: ['This model supports tool calls', 'Only one request at a time'],
    strippedSchemas: ['The pattern of the path was not found', 'The format of the request is wrong', 'Grammar school'],
    strippedTools: ['The tool read_file failed'],
    droppedTools: ['The tool read_file has no such parameter', 'read_file: unknown format'],
    responseFormat: ['The format of the response was read', { body: 'The JSON is invalid' }],
    images: [
      'The image was made smaller before it was read',
      'A vision of the future',
      'The image of the container is not available',
    ],
    resultImages: ['The tool returned a text', 'The role must be one of system, user, assistant'],
    maxTokensCap: ['The maximum number of requests is 64', 'You used 64 tokens', 'max_tokens was set to 64'],
    contextCap: ['The window is closed', "This model's maximum context length is 64 tokens."],
  };
  const image = { mediaType: 'image/png', data: 'AA==' };
  const everything: Partial<ModelRequest> = {
    systemPrompt: 'Be brief.',
    messages: [
      user,
      { ...call(''), content: [...(call('').content as []), ...(call('').content as [])] } as Message,
      result,
    ],
    sampling: { maxTokens: 8_192 },
    tools: [...tools, foreign('odd', { type: 'string', format: 'uri', minLength: 1 })],
  };
  const withImages: Partial<ModelRequest> = {
    ...everything,
    messages: [user, call(''), { ...result, content: { ...result.content, images: [image] } } as unknown as Message],
  };
  const forFormat: Partial<ModelRequest> = {
    messages: [user],
    tools: [],
    responseFormat: { name: 'answer', schema: { type: 'object' } },
  };
  for (const [quirk, bodies] of Object.entries(twins)) {
    for (const twin of bodies) {
      const given = typeof twin === 'string' ? { body: twin } : twin;
      it(`learns nothing for ${quirk} from: ${given.body}`, () => {
        for (const asked of [everything, withImages, forFormat]) {
          assert.equal(changes({ ...given, request: asked }), undefined);
        }
      });
    }
  }
});
