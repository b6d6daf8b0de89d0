import type { Message } from '../../../sdk/messages';
import type { ToolDefinition } from '../../../sdk/model/modelProvider';
import type { Answer } from './askModel';

/** The Doctor's only tool. It never runs: its result is made up. */
export const testTool: ToolDefinition = {
  name: 'get_word',
  description: 'Gives the word that has this number in a list of words.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer', description: 'The number of the word' } },
    required: ['number'],
  },
};

/** Leaves room for reasoning. */
export const MAX_TOKENS = 512;

export function user(content: string): Message {
  return { role: 'user', content };
}

/** A made-up result of the tool. */
export function resultOf(toolUseId: string, content: string): Message {
  return {
    role: 'tool',
    content: { type: 'tool_result', toolUseId, toolName: testTool.name, content, isError: false },
  };
}

/** The numbers in the tool's calls, in order. Ignores other calls. */
export function numbersOf({ calls }: Answer): readonly number[] {
  return calls.filter(({ name }) => name === testTool.name).map(({ input }) => Number(input['number']));
}

/** Returns whether the answer hit its token limit before the call. */
export function ranOut({ stopReason }: Answer): boolean {
  return stopReason === 'length';
}

/** Quotes words of a model or a server: on one line, shortened. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 160 ? `${line.slice(0, 160).toWellFormed()}…` : line}"`;
}
