import type { SessionView, ViewItem } from '../../../src/agent/view/sessionView';

/** A session with many calls, as a long task leaves it: of ten items six are commands or other calls. */
export function longSession(count: number): SessionView {
  const items = Array.from({ length: count }, (_, index) => itemAt(index));
  return { sessionId: `long-${count}`, title: 'A long task', state: 'idle', items };
}

function itemAt(index: number): ViewItem {
  const id = `${index}`;
  switch (index % 10) {
    case 0:
      return {
        kind: 'prompt',
        id,
        text: `Prompt ${index}: fix the next failing test.`,
        contextLabels: [],
        isSteering: false,
      };
    case 1:
      return {
        kind: 'thinking',
        id,
        text: 'I should look first.\n'.repeat(10),
        isStreaming: false,
        startedMs: 0,
        endedMs: 3000,
      };
    case 2:
    case 9:
      return { kind: 'text', id, text: answerAt(index), isStreaming: false };
    case 3:
    case 4:
    case 5:
      return {
        kind: 'tool',
        id,
        toolName: 'run_terminal_command',
        state: 'succeeded',
        input: { command: `npm test -- --grep "case ${index}"` },
        argumentsText: '',
        liveOutput: '',
        result: `Exit code 0.\n${Array.from({ length: 30 }, (_, line) => `  ✓ case ${index}, line ${line}`).join('\n')}`,
      };
    default:
      return {
        kind: 'tool',
        id,
        toolName: 'read_file',
        state: 'succeeded',
        input: { path: `src/module${index}.ts`, start_line: 1, end_line: 40 },
        argumentsText: '',
        liveOutput: '',
        result: '1\tconst a = 1;\n'.repeat(40),
      };
  }
}

function answerAt(index: number): string {
  return `The test **${index}** fails because \`total()\` adds *fractions*. I change:\n\n- \`src/price.ts\`\n- the test\n\n\`\`\`ts\nexport const value${index} = Math.round(${index} * 100) / 100;\n\`\`\`\n`;
}
