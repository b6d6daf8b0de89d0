import { isJsonObject, parseJson } from '../../../util/json';
import type { ToolUseBlock } from '../../messages';
import { neutraliseOwnText } from './controlTokens';

/** A longer call is written anew: it would be kept twice. */
const MAX_LENGTH = 32_768;

/**
 * The call as the model wrote it, for a history that is sent as text; `undefined` where it is not kept, or says something else
 * than the call: a hook may have changed its input.
 */
export function writtenCall({ name, input, written }: ToolUseBlock): string | undefined {
  const [, before, body] = (written !== undefined && WRITTEN.exec(written)) || [];
  if (before === undefined || body === undefined) return undefined;
  const said = parseJson(body);
  if (!isJsonObject(said) || said['name'] !== name) return undefined;
  if (JSON.stringify(said['arguments']) !== JSON.stringify(input)) return undefined;
  return `${before}<tool_call>${neutraliseOwnText(body)}</tool_call>`;
}

/** A call that may be kept as it was written: in the form in which the tools are described. */
export function keptWriting(written: string): string | undefined {
  return written.length <= MAX_LENGTH && WRITTEN.test(written) ? written : undefined;
}

const WRITTEN = /^(\s*)<tool_call>(\s*\{[^]*\}\s*)<\/tool_call>$/;
