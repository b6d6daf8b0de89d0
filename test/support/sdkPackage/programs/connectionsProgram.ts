/** Where the answers come from, what is kept, and what is sent. */
export const connectionsProgram = `
import { Client, branchOf, createImageFolder, createImageStore, createOpenAIProvider, estimateTokens, fromOpenAIMessages, noQuirks, openSession,
  parseProfile, providerUrls, query, replayMessages, resolveConfiguration, resolveProfile, toOpenAIMessages, toOpenAITools, truncateMessages,
  type CompactOptions, type Compaction, type CompactionReason, type Configuration, type Fetch, type Signal, type ConfigurationSources, type ConnectionSettings,
  type CountTokens, type ImageFiles, type ImagePart, type ImageStore, type ImageMediaType, type ImportedConversation, type Message, type ModelLogger, type ModelStatus, type OpenAIMessage,
  type OpenAIMessagesOptions, type OpenAIPart, type OpenAITool, type OpenAIToolCall, type ProfileOptions, type ProfileOverrides, type PromptProgress, type PromptSections,
  type QueryOptions, type QuirkMemory, type Replay, type RequestOptions, type Sampling, type SamplingOptions, type ServerQuirks, type SessionOptions, type StoredImage, type TextPart,
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
  const urls: string[] = [];
  const logger: ModelLogger = { request: ({ url }) => void urls.push(url), response: ({ status }) => void urls.push(String(status)) };
  const requestOptions: RequestOptions = { logger };
  const provider = createOpenAIProvider({ ...requestOptions, baseUrl, quirks, fetch: ask });
  const statuses: ModelStatus[] = [];
  const progress: PromptProgress[] = [];
  const warnings: WarningCode[] = [];
  const warm: Sampling = { temperature: 1 };
  const request = { model: 'test-model', systemPrompt: '', messages: [{ role: 'user', content: 'Hi' }], tools: [], sampling: warm } as const;
  for await (const event of provider.stream(request, { signal })) {
    if (event.type === 'status') statuses.push(event.status);
    if (event.type === 'prompt_progress') progress.push(event.progress);
    if (event.type === 'warning') warnings.push(event.code);
  }
  said.push(statuses.join(), String(progress.length + warnings.length), urls.map((url) => url.split('/').at(-1)).join());

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
  const kind: ImageMediaType | undefined = stored?.mediaType;
  said.push(kind + ' ' + stored?.width, String(replay.messages.length) + ' ' + replay.isUnfinished);
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
