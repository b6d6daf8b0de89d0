import assert from 'node:assert/strict';
import path from 'node:path';
import { transform } from 'esbuild';
import { projectRoot } from '../../scripts/projectRoot';
import { namesUsedIn } from '../support/sdkPackage/nameUses';
import { publicNames } from '../support/sdkPackage/publicNames';
import { SdkProjects } from '../support/sdkPackage/sdkProjects';
import { ModelServer } from '../support/servers/modelServer';

/** Prepares, runs and waits; each step has the types that the package gives it. */
const toolsProgram = `
import { Client, tool, type ClientOptions, type ContentBlock, type FinalResponse, type InputOf, type JsonObject, type JsonValue, type LimitBlock, type OutputRejectedBlock,
  type OutputSchema, type OutputSchemaOf, type Planned, type PostToolUseEvent, type PostToolUseHook, type Preparation, type PreparedTool,
  type ReadingFirst, type RejectedOutput, type RunOptions, type RunOutcome, type ShortField, type ShortType, type StopDecision,
  type StopEvent, type TextBlock, type ThinkingBlock, type ToolOptions, type ToolOutcome, type ToolResultContent, type ToolShape,
  type ToolUseBlock, type TurnMetadata, type UserPromptSubmitEvent, type Validation, type WaitingBlock, type WaitingCall } from 'open-agent-sdk';

const number: ShortType = 'number';
const optional: ShortField = { type: number, optional: true };
const shape = { a: 'number', b: { type: 'number', optional: true } } as const satisfies ToolShape;
type Sum = InputOf<typeof shape>;
// @ts-expect-error: 'a' is a number.
const wrong: Sum = { a: 'one' };

export async function main(baseUrl: string): Promise<readonly string[]> {
  void [wrong, optional];
  const said: string[] = [];
  const planned = ({ a, b = 0 }: Sum): Planned<number> => ({ ok: true, plan: a + b });
  const late = (sum: Sum): ReadingFirst<number> => ({ ok: true, reading: 'sums.txt', planAfterReading: async () => planned(sum) });
  const prepare = (sum: Sum): Preparation<number> => (sum.b === undefined ? late(sum) : planned(sum));
  const work: PreparedTool<Sum, number> = { prepare, run: (plan): ToolResultContent => ({ sum: plan }) };
  const toolOptions: ToolOptions<number> = { aliases: ['plus'], touches: (plan) => 'sum ' + plan };
  const add = tool('add', 'Add', shape, work, toolOptions);
  const input: JsonObject = { a: 1 };
  said.push(JSON.stringify(await add.execute(input)));
  const checked: Validation = add.validate({ a: 'one' });
  const schemaOfA: JsonValue | undefined = (add.inputSchema['properties'] as JsonObject)['a'];
  said.push(checked.ok ? 'valid' : checked.error, JSON.stringify(schemaOfA));

  const onPrompt = ({ prompt }: UserPromptSubmitEvent): void => void said.push('asked ' + prompt);
  const onStop = ({ text }: StopEvent): StopDecision | undefined =>
    text === '{"sum":4}' ? { action: 'continue', message: 'Sure?' } : undefined;
  const onResult: PostToolUseHook = ({ toolName, outcome }: PostToolUseEvent) => {
    const how: ToolOutcome = outcome;
    said.push(toolName + ' ' + how);
  };
  const schema: OutputSchemaOf<{ readonly sum: number }> = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  const anySchema: OutputSchema = schema;
  void anySchema;
  const hooks = { UserPromptSubmit: [onPrompt], PostToolUse: [onResult], Stop: [onStop] };
  const options: ClientOptions<{ readonly sum: number }> = { model: 'test-model', baseUrl, tools: [add], autoExecuteTools: true, outputSchema: schema, hooks };
  await using client = new Client(options);
  const runOptions: RunOptions = { signal: new AbortController().signal };
  const run = client.run('1 + 2?', runOptions);
  let next = await run.next();
  while (!next.done) next = await run.next();
  const outcome: RunOutcome = next.value.outcome;
  const final: FinalResponse | undefined = next.value.finalResponse;
  const rejected: readonly RejectedOutput[] = next.value.rejectedOutputs ?? [];
  const sum: number | undefined = next.value.structuredOutput?.sum;
  const turns: TurnMetadata = client.turnMetadata;
  said.push(outcome + ' ' + final?.stopReason + ' ' + rejected.length + ' ' + sum + ' ' + turns.turnCount);

  await using second = new Client({ ...options, maxToolIterations: 1, hooks: {} });
  await second.query('Again?');
  for await (const block of second.receiveMessages()) said.push(describe(block));
  await using third = new Client({ ...options, maxOutputCorrections: 1, hooks: {}, approvalHook: () => ({ action: 'wait' }) });
  await third.query('And now?');
  for await (const block of third.receiveMessages()) said.push(describe(block));
  return said;
}

function describe(block: ContentBlock): string {
  if (block.type === 'text') return textOf(block);
  if (block.type === 'thinking') return thoughtOf(block);
  if (block.type === 'tool_use') return callOf(block);
  if (block.type === 'limit') return limitOf(block);
  if (block.type === 'output_rejected') return rejectionOf(block);
  return block.type === 'waiting' ? waitOf(block) : block.type;
}
const textOf = ({ text }: TextBlock): string => 'text ' + text;
const thoughtOf = ({ text }: ThinkingBlock): string => 'thought ' + text;
const callOf = ({ name, input }: ToolUseBlock): string => name + JSON.stringify(input);
const limitOf = ({ limit }: LimitBlock): string => limit;
const rejectionOf = ({ willCorrect }: OutputRejectedBlock): string => 'rejected ' + willCorrect;
const waitOf = ({ calls }: WaitingBlock): string => calls.map(({ toolName, plan }: WaitingCall) => 'waiting ' + toolName + ' ' + plan).join();
`;

/** Where the answers come from, what is kept, and what is sent. */
const connectionsProgram = `
import { Client, branchOf, createImageFolder, createImageStore, createOpenAIProvider, estimateTokens, fromOpenAIMessages, noQuirks, openSession,
  parseProfile, providerUrls, query, replayMessages, resolveConfiguration, resolveProfile, toOpenAIMessages, toOpenAITools, truncateMessages,
  type CompactOptions, type Compaction, type CompactionReason, type Configuration, type Fetch, type Signal, type ConfigurationSources, type ConnectionSettings,
  type CountTokens, type ImageFiles, type ImagePart, type ImageStore, type ImportedConversation, type Message, type ModelStatus, type OpenAIMessage,
  type OpenAIMessagesOptions, type OpenAIPart, type OpenAITool, type OpenAIToolCall, type ProfileOptions, type ProfileOverrides, type PromptProgress, type PromptSections,
  type QueryOptions, type QuirkMemory, type Replay, type SamplingOptions, type ServerQuirks, type SessionOptions, type StoredImage, type TextPart,
  type TokenCount, type TruncateOptions, type UserContent, type UserPart, type WarningCode } from 'open-agent-sdk';

const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export async function main(baseUrl: string, folder: string): Promise<readonly string[]> {
  const said: string[] = [providerUrls.ollama];
  const settings: ConnectionSettings = { baseUrl, model: 'test-model' };
  const sources: ConfigurationSources = { settings, env: {} };
  const configuration: Configuration = resolveConfiguration(sources);
  const sampling: SamplingOptions = { temperature: 0.5, topK: 7 };
  const overrides: ProfileOverrides = { ...sampling, model: 'test-model' };
  const profile: ProfileOptions = resolveProfile(parseProfile({ id: 'p', baseUrl, model: 'test-model' }), overrides);
  const options: QueryOptions = { ...profile, signal: new AbortController().signal };
  for await (const { content } of query('Hello?', options)) said.push(JSON.stringify(content));

  const known = new Map<string, ServerQuirks>();
  const none: ServerQuirks = { ...noQuirks, promptProgress: false };
  const signal: Signal = new AbortController().signal;
  const ask: Fetch = (...request) => fetch(...request);
  const quirks: QuirkMemory = { get: (model) => known.get(model) ?? none, learn: (model, learned) => void known.set(model, learned) };
  const provider = createOpenAIProvider({ baseUrl, quirks, fetch: ask });
  const statuses: ModelStatus[] = [];
  const progress: PromptProgress[] = [];
  const warnings: WarningCode[] = [];
  const request = { model: 'test-model', systemPrompt: '', messages: [{ role: 'user', content: 'Hi' }], tools: [], sampling: {} } as const;
  for await (const event of provider.stream(request, { signal })) {
    if (event.type === 'status') statuses.push(event.status);
    if (event.type === 'prompt_progress') progress.push(event.progress);
    if (event.type === 'warning') warnings.push(event.code);
  }
  said.push(statuses.join(), String(progress.length + warnings.length));

  const files: ImageFiles = createImageFolder(folder + '/images');
  const images: ImageStore = createImageStore(files);
  const sessionOptions: SessionOptions = { images };
  const session = await openSession(folder + '/chat.jsonl', sessionOptions);
  const text: TextPart = { type: 'text', text: 'What is this?' };
  const image: ImagePart = { type: 'image', image: png };
  const parts: readonly UserPart[] = [text, image];
  const content: UserContent = parts;
  const countTokens: CountTokens = async ({ messages }) => messages.length * 100;
  await using client = new Client({ ...configuration, compaction: { contextWindow: 4_000, keep: 0.1, countTokens } });
  for await (const event of session.run(client, content)) if (event.type === 'run_end') said.push(event.outcome);
  const kept = branchOf(session.entries);
  const stored: StoredImage | undefined = kept.flatMap((entry) => (entry.type === 'user_message' ? (entry.images ?? []) : []))[0];
  const replay: Replay = replayMessages(kept);
  said.push(stored?.mediaType + ' ' + stored?.width, String(replay.messages.length) + ' ' + replay.isUnfinished);
  await session.close();

  const messageOptions: OpenAIMessagesOptions = { systemPrompt: 'Short.' };
  const history: Message[] = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } }] },
    { role: 'tool', content: { type: 'tool_result', toolUseId: 'c1', content: 'one', isError: false } },
  ];
  const wire: OpenAIMessage[] = toOpenAIMessages([...client.history, ...history], messageOptions);
  const sentParts: OpenAIPart[] = wire.flatMap((message) => (message.role === 'user' && typeof message.content !== 'string' ? message.content : []));
  const calls: OpenAIToolCall[] = wire.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  const tools: OpenAITool[] = toOpenAITools([{ name: 'add', description: 'Add', inputSchema: { type: 'object', properties: {} } }]);
  const back: ImportedConversation = fromOpenAIMessages(wire);
  said.push(sentParts.map(({ type }) => type).join(), calls.map((call) => call.function.name).join(), String(tools[0]?.function.name), back.systemPrompt);

  const limits: TruncateOptions = { maxMessages: 1 };
  said.push(String(truncateMessages(client.history, limits).length), String(estimateTokens('a few words') > 0));
  const count: TokenCount = client.contextTokens;
  const sections: PromptSections = client.contextSections(100);
  said.push(String(count.tokens > 0), String(sections.system + sections.tools + sections.conversation + sections.results));
  const long: Message[] = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? { role: 'user', content: 'Tell more. '.repeat(40) } : { role: 'assistant', content: [{ type: 'text', text: 'More. '.repeat(60) }] },
  );
  const compactOptions: CompactOptions = { focus: 'the end' };
  await using teller = new Client({ ...configuration, history: long, compaction: { contextWindow: 4_000, keep: 0.1 } });
  for await (const event of teller.compact(compactOptions)) {
    if (event.type !== 'compaction') continue;
    const compaction: Compaction = event;
    const reason: CompactionReason = event.reason;
    said.push(reason + ' ' + compaction.summary.split('\\n').at(-1));
  }
  return said;
}
`;

/** The further entries. */
const entriesProgram = `
import { chmod, writeFile } from 'node:fs/promises';
import { defineAgent, runAgent, type AgentDefinition, type AgentRunOptions } from 'open-agent-sdk/agents';
import { connectMcpServers, type McpConnections, type McpOptions, type McpProcess, type McpUrl } from 'open-agent-sdk/mcp';
import { ReadOnlyFileError, createNodePorts, openWorkspace, type ApprovalAnswer, type ApprovalRules, type CommandRequest, type Confinement,
  type FileKind, type FileSystem, type ProtectedLinks, type GrammarSource,
  type Workspace } from 'open-agent-sdk/workspace';

export async function main(baseUrl: string, folder: string): Promise<readonly string[]> {
  const said: string[] = [];
  const teller: AgentDefinition = defineAgent({ id: 'teller', prompt: 'You tell.', model: 'test-model' });
  const setup: AgentRunOptions = { profiles: [{ id: 'local', baseUrl, model: 'test-model' }], onEvent: ({ type }) => type === 'run_end' && said.push(type) };
  said.push((await runAgent(teller, 'Hello?', setup)).primaryText);

  const program: McpProcess = { command: folder + '/no-such-program' };
  const url: McpUrl = { url: 'http://127.0.0.1:9/mcp' };
  const mcpOptions: McpOptions = { allowMissing: true, startTimeoutMs: 20_000 };
  const mcp: McpConnections = await connectMcpServers({ program, url }, mcpOptions);
  said.push(mcp.tools.length + ' tools, ' + mcp.problems.length + ' problems');
  await mcp.close();

  const rules: ApprovalRules = { deny: ['tool:write_file'] };
  const answer: ApprovalAnswer = { action: 'deny' };
  const shellGrammars: GrammarSource = { module: () => { throw new Error('not installed'); }, read: async () => new Uint8Array() };
  const workspace: Workspace = openWorkspace(folder, { rules, ask: async () => answer, shellGrammars });
  const event = { type: 'PreToolUse', toolUseId: 'c1', input: {}, signal: new AbortController().signal } as const;
  const decision = await workspace.approvalHook({ ...event, toolName: 'write_file', plan: undefined });
  said.push(workspace.tools.length > 4 ? 'tools' : 'none', JSON.stringify(decision && 'reason' in decision ? decision.action : decision));
  const { commandRunner, fileSystem: files } = createNodePorts();
  const protectedLinks = async (): Promise<ProtectedLinks> => ({ names: [], isComplete: true });
  const fileSystem: FileSystem = { ...files, protectedLinks };
  const confinement: Confinement = { allowsNetwork: false, writable: [folder] };
  const request: CommandRequest = { command: 'echo ran', cwd: folder, timeoutMs: 20_000, confinement };
  const confined = await commandRunner.run(request, { signal: event.signal, onOutput: () => {} });
  said.push('confined: ' + confined.ended);
  await writeFile(folder + '/kept.txt', 'old');
  await chmod(folder + '/kept.txt', 0o444);
  const kind: FileKind | undefined = (await fileSystem.stat(folder))?.kind;
  const failed: unknown = await fileSystem.writeText(folder + '/kept.txt', 'new', 'old').catch((error: unknown) => error);
  said.push(String(kind), String(failed instanceof ReadOnlyFileError));
  return said;
}
`;

const starter = (text: string): string => `${text}
main(...process.argv.slice(2)).then((lines) => console.log(lines.join('\\n')));
`;

describe('the public names of the npm package of the SDK', () => {
  let projects: SdkProjects;
  before(async () => {
    projects = await SdkProjects.create();
  });
  after(() => projects[Symbol.asyncDispose]());

  it('are all used in a test', async () => {
    const used = await namesUsedIn([path.join(projectRoot, 'test')]);
    for (const entry of ['sdk', 'library/agents', 'library/mcp', 'library/workspace']) {
      const { names } = await publicNames(path.join(projects.installed, `esm/types/${entry}/index.d.ts`));
      assert.deepEqual([entry, ...names.filter((name) => !used.has(name))], [entry]);
    }
    assert.ok(!used.has('noSuchName'));
  });

  async function tried(program: string, server: ModelServer): Promise<readonly string[]> {
    const project = await projects.add({ '@types/node': '@types/node' });
    await project.write('names.mts', program);
    await project.compile('names.mts', { resolution: 'nodenext', types: ['node'] });
    await project.write('names.mjs', (await transform(starter(program), { loader: 'ts', target: 'node20' })).code);
    const output = await project.run('names.mjs', server.baseUrl, project.path);
    assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
    return output.trim().split('\n');
  }

  const add = (a: number) => ({ toolCalls: [{ name: 'plus', arguments: { a, b: 2 } }] });

  it('have the types of what they are: tools, hooks, blocks and results', async () => {
    await using server = await ModelServer.start();
    server.script(add(1), { text: '{"sum":"3"}' }, { text: '{"sum":4}' }, { text: '{"sum":3}' });
    server.script(add(2), add(3));
    assert.deepEqual(await tried(toolsProgram, server), [
      '{"sum":1}',
      'Invalid arguments for add: "a": expected number, received string.',
      '{"type":"number"}',
      'asked 1 + 2?',
      'add succeeded',
      'completed stop 1 3 1',
      'add{"a":2,"b":2}',
      'tool_result',
      'max_tool_iterations',
      'add{"a":3,"b":2}',
      'waiting add 5',
    ]);
  });

  it('have the types of what they are: servers, settings, sessions, images and conversions', async () => {
    await using server = await ModelServer.start();
    server.script({ text: 'Hello.' }, { text: 'Hi.' }, { text: 'A dot.' }, { text: 'A summary.' });
    assert.deepEqual(await tried(connectionsProgram, server), [
      'http://localhost:11434/v1',
      '[{"type":"text","text":"Hello."}]',
      'connecting,prefilling,generating',
      '0',
      'completed',
      'image/png 1',
      '2 false',
      'text,image_url',
      ...['add', 'add'],
      'Short.',
      '2',
      ...['true', 'true'],
      '100',
      'requested A summary.',
    ]);
    assert.equal(server.completions[0]?.body.temperature, 0.5);
  });

  it('have the types of what they are: the further entries', async () => {
    await using server = await ModelServer.start();
    server.script({ text: 'Once.' });
    const told = ['run_end', 'Once.', '0 tools, 2 problems', 'tools', '"deny"'];
    assert.deepEqual(await tried(entriesProgram, server), [...told, 'confined: failed_to_start', 'directory', 'true']);
  });
});
