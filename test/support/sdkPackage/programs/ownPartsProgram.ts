/** A program with a model provider, a storage, a lock and tools of its own. It needs no server. */
export const ownPartsProgram = `
import { AgentError, Client, SessionElsewhere, aggregateChunks, applyCompaction, fromOpenAITools, openSession, parseWaitingRun,
  readSettingsFile, resultOf, tool, withRetry, type AggregateOptions, type AgentErrorCode, type AgentErrorInfo, type AgentEvent,
  type AgentExecutionResult, type AgentOptions, type AssistantBlock, type AssistantMessage, type BeforeRun, type CompactionOptions,
  type EntryBody, type EntryOf, type GoneServer, type HookDecision, type Hooks, type LlmProfile, type LogFile, type LogLock, type LogProblem, type LogStorage, type Message,
  type ModelEvent, type ModelProvider, type ModelRequest, type ModelResponse, type OpenAIProviderOptions, type PreToolUseDecision,
  type PreToolUseEvent, type PreToolUseHook, type ReplayReasoning, type ResponseEvent, type ResponseFormat, type RetryNotice, type RetryOptions, type Session, type SessionEntry, type StandardSchema, type StopHook,
  type StopReason, type Tool, type ToolContext, type ToolDefinition, type ToolFunction, type ToolMessage, type ToolOutput,
  type ToolResultBlock, type ToolUseError, type Usage, type UserMessage, type UserMessageOrigin, type UserPromptSubmitDecision, type UserPromptSubmitHook,
  type WaitingAnswer, type WaitingRun } from 'open-agent-sdk';
import { writeFile } from 'node:fs/promises';

/** Answers from a list. */
function providerOf(answers: ModelEvent[], requests: ModelRequest[]): ModelProvider {
  return {
    async *stream(request) {
      requests.push(request);
      const next = answers.shift();
      if (next) yield next;
    },
  };
}

const usage: Usage = { promptTokens: 3, completionTokens: 2 };
const stop: StopReason = 'stop';
const says = (text: string): AssistantBlock => ({ type: 'text', text });
const answer = (content: ModelResponse['content'], stopReason: StopReason = stop): ModelEvent => {
  const response: ModelResponse = { responseId: 'r', model: 'own', content, stopReason, usage };
  return { type: 'response_end', ...response };
};

/** A schema of no library. */
const positive: StandardSchema<unknown, number> = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value) => (typeof value === 'number' && value > 0 ? { value } : { issues: [{ message: 'not positive' }] }),
  },
};
const described = { ...positive, '~standard': { ...positive['~standard'], jsonSchema: { input: () => ({ type: 'number' }) } } };

const work: ToolFunction<{ a: number }> = ({ a }, { progress, toolUseId }: ToolContext): ToolOutput => {
  progress('halving');
  return { content: { half: a / 2 }, display: toolUseId };
};
const half: Tool = tool('half', 'Halve', { a: described }, work);

/** Everything in memory. */
class Memory implements LogStorage, LogLock {
  readonly files = new Map<string, Uint8Array>();
  isElsewhere = false;
  async *read(file: string): AsyncGenerator<Uint8Array> {
    yield this.files.get(file) ?? new Uint8Array();
  }
  async readFrom(file: string, offset: number): Promise<Uint8Array> {
    return (this.files.get(file) ?? new Uint8Array()).subarray(offset);
  }
  async openForAppend(file: string): Promise<LogFile> {
    const current = (): Uint8Array => this.files.get(file) ?? new Uint8Array();
    return {
      write: async (bytes) => {
        const both = new Uint8Array(current().length + bytes.length);
        both.set(current());
        both.set(bytes, current().length);
        this.files.set(file, both);
        return bytes.length;
      },
      sync: async () => {},
      isCurrent: async () => true,
      size: async () => current().length,
      close: async () => {},
    };
  }
  async acquire(): Promise<void> {
    if (this.isElsewhere) throw new SessionElsewhere();
  }
  async release(): Promise<void> {}
}

const call = (id: string, a: number): AssistantBlock => ({ type: 'tool_use', id, name: 'half', input: { a } });

export async function main(_baseUrl: string, folder: string): Promise<readonly string[]> {
  const said: string[] = [];
  const requests: ModelRequest[] = [];
  const retry: RetryOptions = { maxRetries: 1, wait: async () => {} };
  const busy: AgentErrorInfo = { code: 'rate_limited', message: 'Later.', status: 429 };
  const answers = [{ type: 'error', error: busy, partial: [] } as const, answer([call('c1', 8)], 'tool_use'), answer([says('4.')])];
  const provider = withRetry(providerOf(answers, requests), retry);
  const again: BeforeRun = () => ({ action: 'allow' });
  const decide = ({ toolName }: PreToolUseEvent): PreToolUseDecision =>
    toolName === 'half' ? { action: 'allow', beforeRun: again } : { action: 'deny', reason: 'unknown' };
  const preToolUse: PreToolUseHook = decide;
  const shout = (prompt: string): UserPromptSubmitDecision => ({ action: 'modifyPrompt', prompt: prompt.toUpperCase() });
  const onPrompt: UserPromptSubmitHook = ({ prompt }): HookDecision => shout(prompt);
  const onStop: StopHook = ({ text }) => void said.push('stops with ' + text);
  const hooks: Hooks = { PreToolUse: [preToolUse], UserPromptSubmit: [onPrompt], Stop: [onStop] };
  const compaction: CompactionOptions = { contextWindow: 8_000 };
  const options: AgentOptions = { model: 'own', baseUrl: 'http://localhost:1', provider, tools: [half], hooks, compaction, autoExecuteTools: true };

  const memory = new Memory();
  const session: Session = await openSession(folder + '/memory.jsonl', { storage: memory, lock: memory });
  const client = new Client(options);
  const events: AgentEvent[] = [];
  const result: AgentExecutionResult = await resultOf(session.run(client, 'Half of 8?'), (event) => events.push(event));
  said.push(result.primaryText, events.map(({ type }) => type).filter((type) => /^(retry|tool)/.test(type)).join());
  const origins: UserMessageOrigin[] = events.flatMap((event) => (event.type === 'user_message' ? [event.origin] : []));
  const notices: RetryNotice[] = events.filter((event) => event.type === 'retry');
  const gone: GoneServer | undefined = notices[0]?.gone;
  said.push(origins.join(), notices.map(({ attempt, error }) => attempt + ' ' + error.code).join(), String(gone?.waitedMs));
  const ends: ResponseEvent[] = events.filter((event) => event.type === 'block_end');
  said.push(String(ends.length));
  said.push(String(requests.length), JSON.stringify(requests[1]?.messages[0]), String(result.usage?.promptTokens));
  const definition: ToolDefinition | undefined = requests[1]?.tools[0];
  said.push(JSON.stringify(definition?.inputSchema));
  const [prompt, , given] = client.history;
  const asked: UserMessage | undefined = prompt?.role === 'user' ? prompt : undefined;
  const toolMessage: ToolMessage | undefined = given?.role === 'tool' ? given : undefined;
  const block: ToolResultBlock | undefined = toolMessage?.content;
  said.push(String(asked?.content), JSON.stringify(block?.content));
  const title: EntryBody = { type: 'title', title: 'Halves' };
  session.append(title);
  await session.close();
  const entries: readonly SessionEntry[] = session.entries;
  const titles = entries.filter((entry): entry is EntryOf<'title'> => entry.type === 'title');
  said.push(titles.map((entry) => entry.title).join());
  for (const [file, bytes] of memory.files) memory.files.set(file, bytes.subarray(0, bytes.length - 5));
  memory.isElsewhere = true;
  const cut = await openSession(folder + '/memory.jsonl', { storage: memory, lock: memory });
  const problems: readonly LogProblem[] = cut.problems;
  said.push(problems.map(({ kind }) => kind).join());
  cut.append(title);
  said.push((await cut.sync()) instanceof SessionElsewhere ? 'elsewhere' : 'here');

  const waiter = new Client({ ...options, hooks: {}, provider: providerOf([answer([call('c2', 6)], 'tool_use')], []), approvalHook: () => ({ action: 'wait' }) });
  const waiting: WaitingRun = parseWaitingRun(JSON.stringify((await resultOf(waiter.run('And of 6?'))).waiting));
  const yes: WaitingAnswer[] = waiting.calls.map(({ toolUseId, planHash }) => ({ action: 'allow', toolUseId, planHash }));
  const resumer = new Client({ ...options, hooks: {}, provider: providerOf([answer([says('3.')])], []), approvalHook: () => ({ action: 'wait' }) });
  said.push((await resultOf(resumer.resumeRun(waiting, yes))).primaryText);

  const replayReasoning: ReplayReasoning = 'never';
  const asker = new Client({ ...options, hooks: {}, tools: [], replayReasoning, outputSchema: described, provider: providerOf([answer([says('7')])], requests) });
  said.push(String((await resultOf(asker.run('A number?'))).structuredOutput));
  const form: ResponseFormat | undefined = requests.at(-1)?.responseFormat;
  said.push(JSON.stringify(form), String(requests.at(-1)?.replayReasoning));

  const aggregate: AggregateOptions = { tools: [half] };
  const chunk = { id: 'x', model: 'm', choices: [{ delta: { tool_calls: [{ index: 0, id: 'c3', function: { name: 'half', arguments: '{"a":' } }] } }] };
  for await (const event of aggregateChunks([chunk], aggregate)) {
    if (event.type !== 'block_end' || event.content.type !== 'tool_use_error') continue;
    const broken: ToolUseError = event.content;
    said.push(String(broken.rawData));
  }
  const [far] = fromOpenAITools([{ type: 'function', function: { name: 'far', parameters: { type: 'object', properties: {} } } }], (name) => name + ' ran');
  said.push(JSON.stringify(await far?.execute({})));
  const before: Message[] = [{ role: 'user', content: 'Old.' }, { role: 'assistant', content: [says('Old answer.')] } satisfies AssistantMessage, { role: 'user', content: 'New.' }];
  said.push(JSON.stringify(applyCompaction(before, { summary: 'Before.', keptMessages: 1 })));

  await writeFile(folder + '/settings.json', '{ "baseUrl": "ollama", "model": 7 }');
  const failed: unknown = await readSettingsFile(folder + '/settings.json').catch((error: unknown) => error);
  const code: AgentErrorCode | undefined = failed instanceof AgentError ? failed.code : undefined;
  said.push(String(code));
  const profile: LlmProfile = { id: 'own', baseUrl: 'http://localhost:1', model: 'own' };
  const connection: OpenAIProviderOptions = { baseUrl: profile.baseUrl, silenceTimeoutMs: 1_000 };
  said.push(connection.baseUrl);
  return said;
}
`;
