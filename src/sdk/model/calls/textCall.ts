import { isJsonObject, type JsonObject } from '../../../util/json';
import type { ModelFamily } from './families';
import { JsonBalance } from './jsonBalance';
import { parseToolArguments } from './toolArguments';

/** A call written as text. `arguments` is unparsed JSON text, or the values of tags. */
export interface TextCall {
  readonly name: string;
  readonly arguments: string | JsonObject;
}

/** Calls at the beginning of a text, and the index after them. */
export interface FoundCalls {
  readonly calls: readonly TextCall[];
  readonly end: number;
}

/** A format in which models write calls as text. */
export interface TextCallFormat {
  /** The beginning of a call. */
  readonly text: string;
  /** The end of a call. `undefined`: only its content or the end of the answer tells. */
  readonly close: string | undefined;
  /** The end of one of several calls inside. What is complete before a cut counts. */
  readonly innerClose?: string;
  /** A special token of the model, which may follow text on the same line. */
  readonly isToken?: boolean;
  /** Only has a meaning right after a call. */
  readonly isRemnant?: boolean;
  /** Its template puts a blank between a sentence and the call. */
  readonly followsBlank?: boolean;
  /** The families that write it. Absent: any, because servers and prompts teach it to any model. */
  readonly families?: readonly ModelFamily[];
  /** Begins as other text does, so it counts only where the name of the model shows the family. */
  readonly needsFamily?: boolean;
  /**
   * Reads the calls at the beginning of `markup`, which begins with `text`. Before the end of the answer `markup` ends
   * with a closing tag. Then an incomplete call gives `undefined`, because the tag may stand inside an argument.
   */
  read(markup: string, isEnd: boolean): FoundCalls | undefined;
}

export function readJsonCall(json: string): TextCall | undefined {
  const parsed = parseToolArguments(json, { lenient: true });
  return parsed.ok ? callIn(parsed.input) : undefined;
}

/** The calls in a JSON list. */
export function readJsonCalls(json: string): readonly TextCall[] {
  const parsed = parseToolArguments(`{"calls":${json}}`, { lenient: true });
  if (!parsed.ok) return [];
  const list = parsed.input['calls'];
  const calls = (Array.isArray(list) ? list : [list]).filter(isJsonObject).map(callIn);
  return calls.filter((call) => call !== undefined);
}

export function callIn(value: JsonObject): TextCall | undefined {
  const inner = isJsonObject(value['function']) ? value['function'] : value;
  const name = inner['name'] ?? inner['tool'] ?? inner['tool_name'] ?? inner['function'];
  const input = inner['arguments'] ?? inner['parameters'] ?? inner['input'] ?? inner['args'] ?? {};
  if (typeof name !== 'string' || (typeof input !== 'string' && !isJsonObject(input))) return undefined;
  return { name, arguments: input };
}

export function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text[index] as string)) index++;
  return index;
}

/**
 * Whether the markup of calls has its own end: the closing tag, or the closing bracket of JSON. Where the server says that
 * the model stopped by itself (`hasStopped`), tags may lack their end, because some models leave it out.
 */
export function isClosed(markup: string, hasStopped = false): boolean {
  const hasClosingTag = CLOSING.test(markup);
  if (
    /<(?:function=|arg_key(?::opensource)?>|\]minimax\[>|\|open\|>argument |(?:[|｜]{1,2}DSML[|｜]{1,2})?parameter\b)/.test(
      markup,
    )
  )
    return hasStopped || hasClosingTag;
  const start = markup.indexOf('{');
  if (start === -1) return hasStopped;
  return (hasStopped && hasClosingTag) || new JsonBalance().feed(markup.slice(start)) !== -1;
}

const CLOSING =
  /(?:<\/[\w:|｜]*(?:function|tool_calls?|invoke|function_calls)(?::opensource)?>|<\|(?:call|end|return|tool_call_end)\|>|<tool_call\|>|<\|close\|>(?:call|tools)<\|sep\|>|\[\/TOOL_CALL\])\s*$/;
