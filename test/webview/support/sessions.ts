import type { AgentState } from '../../../src/protocol/toWebview';
import type { CommandApproval, EditApproval } from '../../../src/agent/view/approvalSummary';
import type { SessionView, TextItem, ToolItem, ViewItem } from '../../../src/agent/view/sessionView';

export const agentChoices: AgentState = {
  mode: 'acceptEdits',
  modes: ['plan', 'ask', 'acceptEdits', 'sandbox'],
  agents: [
    { id: 'reviewer', detail: 'Looks for mistakes and changes nothing' },
    { id: 'writer', detail: '' },
  ],
  profiles: [
    { id: 'gpu', detail: 'qwen3-32b at http://gpu.example:8000/v1' },
    { id: 'small', detail: 'qwen3-4b at http://127.0.0.1:8080' },
  ],
  agent: 'reviewer',
  profile: 'gpu',
  problems: [],
};

export const sessionId = 'session-1';

export function view(items: readonly ViewItem[], rest: Partial<SessionView> = {}): SessionView {
  return { sessionId, title: 'Fix the rounding of prices', state: 'idle', items, ...rest };
}

export function prompt(text: string, contextLabels: readonly string[] = []): ViewItem {
  return { kind: 'prompt', id: `prompt ${text.slice(0, 20)}`, text, contextLabels, isSteering: false };
}

export function answer(text: string, rest: Partial<TextItem> = {}): TextItem {
  return { kind: 'text', id: `text ${text.slice(0, 20)}`, text, isStreaming: false, ...rest };
}

export function tool(rest: Partial<ToolItem> & Pick<ToolItem, 'id' | 'toolName' | 'state'>): ToolItem {
  return { kind: 'tool', argumentsText: '', liveOutput: '', ...rest };
}

export const editApproval: EditApproval = {
  requestId: 'request-edit',
  toolUseId: 'use-edit',
  kind: 'edit',
  reason: 'Every edit asks.',
  displayPath: 'src/checkout/price.ts',
  operation: 'edit',
  diff: [
    '@@ -10,6 +10,8 @@',
    ' export function total(items: readonly Item[]): number {',
    '-  return items.reduce((sum, item) => sum + item.price * item.count, 0);',
    '+  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100) * item.count, 0);',
    '+  // Whole cents, because a sum of fractions drifts.',
    '+  return cents / 100;',
    ' }',
    ' ',
  ].join('\n'),
  addedLines: 3,
  removedLines: 1,
};

export const commandApproval: CommandApproval = {
  requestId: 'request-command',
  toolUseId: 'use-command',
  kind: 'command',
  reason: 'Every command asks.',
  displayPath: 'shop',
  command: 'npm test -- --grep "price"',
};

export const editCard = tool({
  id: 'use-edit',
  toolName: 'apply_edit',
  state: 'awaiting_approval',
  input: { path: 'src/checkout/price.ts', edits: [{ old_text: 'a', new_text: 'b' }] },
  approval: editApproval,
});

export const commandCard = tool({
  id: 'use-command',
  toolName: 'run_terminal_command',
  state: 'awaiting_approval',
  input: { command: 'npm test -- --grep "price"' },
  approval: commandApproval,
});

export const markdownAnswer = `## What goes wrong

The total is a sum of *fractions*, and \`0.1 + 0.2\` is not \`0.3\`. Two places matter:

1. \`total()\` in [src/checkout/price.ts](src/checkout/price.ts#L10) adds up prices as they come
2. \`format()\` rounds **each** line, so the lines do not add up:

   \`\`\`sh
   npm test -- --grep "price"
   \`\`\`

| input | expected | got |
|---|---:|---:|
| \`[0.1, 0.2]\` | 0.30 | 0.30000000000000004 |

> Prices are stored with two decimals.

\`\`\`ts
// Whole cents, because a sum of fractions drifts.
export function total(items: readonly Item[]): number {
  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100) * item.count, 0);
  return cents / 100; // "euros"
}
\`\`\`

- [x] found the cause
- [ ] run the tests

See https://example.com/floating-point for the reasons.`;

/** A session in the middle of a task, with one item of each kind. */
export const busySession = view(
  [
    prompt('The total of my cart is off by a cent sometimes. Find out why and fix it.', ['src/checkout/price.ts:8-16']),
    {
      kind: 'thinking',
      id: 'thinking-1',
      text: 'The person sees wrong totals.\nI should read the code first.',
      isStreaming: false,
      startedMs: 1000,
      endedMs: 5400,
    },
    tool({
      id: 'use-read',
      toolName: 'read_file',
      state: 'succeeded',
      input: { path: 'src/checkout/price.ts', start_line: 1, end_line: 40 },
      result: '1\timport type { Item } from "./item";',
    }),
    tool({
      id: 'use-search',
      toolName: 'search_text',
      state: 'failed',
      input: { pattern: 'total(', path: 'src' },
      result:
        'The pattern is not a valid regular expression: missing ). Set is_regex to false to search for the text itself.',
    }),
    answer(markdownAnswer),
    editCard,
  ],
  {
    state: 'waiting_for_approval',
    usage: { promptTokens: 5820, completionTokens: 412 },
  },
);

export const commandSession = view(
  [
    prompt('Run the tests.'),
    tool({
      id: 'use-edit',
      toolName: 'apply_edit',
      state: 'denied',
      input: { path: 'src/checkout/price.ts', edits: [] },
      approvalOutcome: 'denied',
      denialReason: 'Keep the signature as it is',
    }),
    tool({
      id: 'use-build',
      toolName: 'run_terminal_command',
      state: 'running',
      input: { command: 'npm run build -- --watch' },
      liveOutput:
        '> shop@1.0.0 build\n> tsc --watch\n\n\u001B[32mFound 0 errors.\u001B[0m Watching for file changes.\n',
    }),
    { ...commandCard, id: 'use-command-2' },
    {
      kind: 'notice',
      id: 'notice-1',
      notice: {
        id: 'notice-1',
        severity: 'error',
        message: 'Nothing answers at http://127.0.0.1:8080/v1. Is the server still running?',
        actions: ['retry', 'openSettings'],
      },
    },
    {
      kind: 'notice',
      id: 'notice-2',
      notice: { id: 'notice-2', severity: 'warning', message: '50 steps are done. Go on?', actions: ['continue'] },
    },
    answer('The tests were', { cut: 'interrupted' }),
  ],
  {
    state: 'running',
    activity: {
      status: 'prefilling',
      sinceMs: Date.now() - 12_000,
      progress: { total: 7400, processed: 3100, cached: 0 },
    },
  },
);
