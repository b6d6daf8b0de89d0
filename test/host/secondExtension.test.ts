import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenAgentApi } from '../../src/host/api/openAgentApi';
import type { ToolContext } from '../../src/sdk/tool';
import { dataUrl, pngOf } from '../support/images/sampleImages';
import { createGate, ModelServer } from '../support/servers/modelServer';

/** The API of `test/fixtures/second-extension`. */
interface SecondExtension {
  readonly weather: { readonly calls: unknown[]; cancelled: number };
  readonly version: number;
  register(name: string, run: (plan: unknown, context: ToolContext) => unknown): vscode.Disposable;
  models(selector?: vscode.LanguageModelChatSelector): Thenable<vscode.LanguageModelChat[]>;
  ask(
    model: vscode.LanguageModelChat,
    messages: readonly vscode.LanguageModelChatMessage[],
    options?: vscode.LanguageModelChatRequestOptions,
    token?: vscode.CancellationToken,
  ): Promise<{ readonly parts: readonly unknown[]; readonly error?: unknown }>;
}

const { LanguageModelChatMessage: Chat } = vscode;

/** Another extension in the real VS Code runs all of these actions. */
describe('Another extension', () => {
  let second: SecondExtension;
  let server: ModelServer;

  const configure = (name: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('openAgent').update(name, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    const extension = vscode.extensions.getExtension<SecondExtension>('open-agent-test.second');
    assert.ok(extension, 'the second extension is not there');
    second = await extension.activate();
    server = await ModelServer.start({ models: ['tiny', 'large'], contextWindow: 8192 });
    await configure('baseUrl', server.baseUrl);
    await configure('profiles', [{ id: 'quick', baseUrl: server.baseUrl, model: 'tiny', temperature: 0.3 }]);
  });

  afterEach(() => assert.deepEqual(server.unexpected, []));

  after(async () => {
    await configure('baseUrl', undefined);
    await configure('profiles', undefined);
    await server.dispose();
  });

  async function model(id = 'server/tiny'): Promise<vscode.LanguageModelChat> {
    const [found] = await second.models({ vendor: 'open-agent', id });
    assert.ok(found, `there is no model ${id}`);
    return found;
  }

  it('finds the models of the server and of the profiles, with their sizes', async () => {
    const models = await second.models({ vendor: 'open-agent' });
    assert.deepEqual(
      models.map(({ id, name, family, maxInputTokens }) => ({ id, name, family, maxInputTokens })),
      [
        { id: 'server/tiny', name: 'tiny', family: 'tiny', maxInputTokens: 4096 },
        { id: 'server/large', name: 'large', family: 'large', maxInputTokens: 4096 },
        { id: 'profile/quick', name: 'quick', family: 'tiny', maxInputTokens: 4096 },
      ],
    );
  });

  it('streams an answer from a model', async () => {
    server.script({ text: ['Hello ', 'there.'] });
    const answer = await second.ask(await model(), [Chat.User('Be brief.'), Chat.User('Hi')]);
    assert.deepEqual([answer.parts.join(''), answer.error], ['Hello there.', undefined]);
    const { body } = server.completions.at(-1)!;
    assert.deepEqual([body.model, body.messages], ['tiny', [{ role: 'user', content: 'Be brief.\n\nHi' }]]);
  });

  it('lets a model call its tools and gives it their results', async () => {
    const tools = [
      {
        name: 'look-up',
        description: 'Looks up.',
        inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
      },
    ];
    server.script({ text: 'Wait.', toolCalls: [{ name: 'look_up', arguments: { q: 'a' } }] }, { text: 'Done.' });
    const asked = Chat.User('Look it up');
    const first = await second.ask(await model('profile/quick'), [asked], {
      tools,
      toolMode: vscode.LanguageModelChatToolMode.Required,
      modelOptions: { max_tokens: 100 },
    });
    const [text, call] = first.parts as [string, { callId: string; name: string; input: object }];
    assert.deepEqual([text, call.name, call.input, first.error], ['Wait.', 'look-up', { q: 'a' }, undefined]);
    const { body } = server.completions.at(-1)!;
    assert.deepEqual(
      [body['tool_choice'], body['max_tokens'], body['temperature'], body.tools?.[0]?.function.name],
      ['required', 100, 0.3, 'look-up'],
    );

    const answered = Chat.Assistant([new vscode.LanguageModelToolCallPart(call.callId, call.name, call.input)]);
    const result = Chat.User([
      new vscode.LanguageModelToolResultPart(call.callId, [
        new vscode.LanguageModelTextPart('found'),
        new vscode.LanguageModelDataPart(new Uint8Array(4), 'image/png'),
      ]),
    ]);
    const last = await second.ask(await model(), [asked, answered, result], { tools });
    assert.deepEqual(last, { parts: ['Done.'] });
    assert.deepEqual(server.completions.at(-1)!.body.messages.slice(1), [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: call.callId, type: 'function', function: { name: 'look-up', arguments: '{"q":"a"}' } }],
      },
      { role: 'tool', tool_call_id: call.callId, content: 'found\n[image/png, 4 bytes: not shown]' },
    ]);
  });

  it('sends images with the same bytes: of a message in their order, and of a result', async () => {
    const [red, blue] = [pngOf(8, 6), pngOf(6, 8, [0, 0, 255])];
    const image = (data: Uint8Array) => new vscode.LanguageModelDataPart(data, 'image/png');
    const asWire = (data: Buffer) => ({ type: 'image_url', image_url: { url: dataUrl(data) } });
    const text = (value: string) => new vscode.LanguageModelTextPart(value);
    const svg = new vscode.LanguageModelDataPart(new TextEncoder().encode('<svg/>'), 'image/svg+xml');
    server.script({ text: 'First.' }, { text: 'Blue.' });
    const asked = Chat.User([text('First:'), image(red), text('Second:'), image(blue), svg, text('Which is red?')]);
    assert.deepEqual(await second.ask(await model(), [asked]), { parts: ['First.'] });
    const [message] = server.completions.at(-1)!.body.messages;
    assert.deepEqual(message?.content, [
      { type: 'text', text: 'First:' },
      asWire(red),
      { type: 'text', text: 'Second:' },
      asWire(blue),
      { type: 'text', text: '[image/svg+xml, 6 bytes: not shown]\nWhich is red?' },
    ]);

    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } }];
    const call = Chat.Assistant([new vscode.LanguageModelToolCallPart('c1', 'look', {})]);
    const result = Chat.User([new vscode.LanguageModelToolResultPart('c1', [text('a picture:'), image(blue)])]);
    assert.deepEqual(await second.ask(await model(), [Chat.User('Look'), call, result], { tools }), {
      parts: ['Blue.'],
    });
    const last = JSON.stringify(server.completions.at(-1)!.body.messages);
    assert.match(last, /a picture:/);
    assert.ok(last.includes(dataUrl(blue)));
  });

  it('stops a model', async () => {
    const gate = createGate();
    server.script({ text: ['One', gate, ' two'] });
    const source = new vscode.CancellationTokenSource();
    const asking = second.ask(await model(), [Chat.User('Count')], {}, source.token);
    await gate.reached;
    source.cancel();
    await asking;
    assert.equal(await server.completions.at(-1)!.closed, 'broken');
    gate.open();
  });

  it('gets the reason of a failed request', async () => {
    server.script({ kind: 'status', status: 401, body: { error: { message: 'Invalid API Key' } } });
    const refused = await second.ask(await model(), [Chat.User('Hi')]);
    const { message, ...error } = refused.error as { message: string };
    assert.deepEqual(error, { isOfModels: true, name: 'LanguageModelError', code: 'NoPermissions' });
    assert.match(message, /Invalid API Key/);
    server.script({ text: 'Half', cut: true });
    const cut = await second.ask(await model(), [Chat.User('Hi')]);
    assert.equal((cut.error as { isOfModels: boolean }).isOfModels, true);
  });

  it('counts tokens', async () => {
    const tiny = await model();
    assert.equal(await tiny.countTokens('x'.repeat(400)), 100);
    assert.equal(await tiny.countTokens(Chat.User('y'.repeat(40))), 10);
  });

  it('cannot add a tool without being an extension', async () => {
    const own = vscode.extensions.getExtension<OpenAgentApi>('open-agent.open-agent-vscode')!.exports;
    assert.deepEqual(Object.keys(own), ['version', 'registerTool']);
    assert.throws(() => own.registerTool({} as never), /your extension’s own code/);
  });
});
