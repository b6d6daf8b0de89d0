/** Prepares, runs and waits; each step has the types that the package gives it. */
export const toolsProgram = `
import { Client, tool, type ClientOptions, type ContentBlock, type FinalResponse, type InputOf, type JsonObject, type JsonValue, type LimitBlock, type OutputRejectedBlock,
  type OutputSchema, type OutputSchemaOf, type Planned, type PostToolUseEvent, type PostToolUseHook, type Preparation, type PreparedTool,
  type ReadingFirst, type RejectedOutput, type RunEvents, type RunOptions, type RunOutcome, type ShortField, type ShortType, type StopDecision,
  type StopEvent, type TextBlock, type ThinkingBlock, type ToolOptions, type ToolOutcome, type ToolResultContent, type ToolResultOptions, type ToolShape,
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
  const run: RunEvents<{ readonly sum: number }> = client.run('1 + 2?', runOptions);
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
  await using manual = new Client({ model: 'test-model', baseUrl, tools: [add] });
  await manual.query('By hand?');
  const failed: ToolResultOptions = { isError: true };
  for await (const block of manual.receiveMessages()) if (block.type === 'tool_use') await manual.addToolResult(block.id, 'no', failed);
  const last = manual.history.at(-1);
  said.push(String(last?.role === 'tool' && last.content.isError));
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
