import type { Message } from '../../../sdk/messages';
import type { ToolDefinition } from '../../../sdk/model/modelProvider';
import type { Answer } from './askModel';

/** The one tool the Doctor offers. It is never run: its result is made up. */
export const testTool: ToolDefinition = {
  name: 'get_word',
  description: 'Gives the word that has this number in a list of words.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer', description: 'The number of the word' } },
    required: ['number'],
  },
};

/** Room for the thoughts of a reasoning model. */
export const MAX_TOKENS = 512;

export function user(content: string): Message {
  return { role: 'user', content };
}

/** The numbers the tool was called with, in order; what else was called does not count. */
export function numbersOf({ calls }: Answer): readonly number[] {
  return calls.filter(({ name }) => name === testTool.name).map(({ input }) => Number(input['number']));
}

/** Whether the answer ended because it may not be longer, and it did not get to what it was asked for. */
export function ranOut({ stopReason }: Answer): boolean {
  return stopReason === 'length';
}

/** Words of a model or a server for a sentence: one line, not too long, in quotation marks. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 160 ? `${line.slice(0, 160).toWellFormed()}…` : line}"`;
}
