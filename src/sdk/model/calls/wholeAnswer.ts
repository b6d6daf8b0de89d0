import { isJsonObject, parseJson } from '../../../util/json';
import { beginsBlank } from '../leadingSpace';
import { readJsonCall, type TextCall } from './textCall';

/** Reads an answer that is only one call as JSON, fenced or bare: `{"name": "read_file", "arguments": {…}}`. */
export function readWholeAnswer(answer: string): TextCall | undefined {
  return readJsonCall(withoutFence(answer.trim()) ?? answer);
}

/** Whether an answer is a JSON object with the fields of a call and no others, so that it can be nothing else. */
export function isBareCall(answer: string): boolean {
  const value = parseJson(answer);
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  const input = value['arguments'] ?? value['parameters'];
  return typeof value['name'] === 'string' && isJsonObject(input) && keys.every((key) => BARE_KEYS.includes(key));
}

const BARE_KEYS = ['name', 'arguments', 'parameters', 'id', 'type'];

/** The tool that an answer names which was cut inside a call as JSON. */
export function nameInCutAnswer(answer: string): string | undefined {
  const key = /"(?:name|tool|tool_name|function)"\s*:\s*(?:\{\s*"name"\s*:\s*)?"([^"]+)"/.exec(answer.slice(0, 1_000));
  return key?.[1];
}

function withoutFence(text: string): string | undefined {
  const start = /^```\w*[^\S\n]*\n/.exec(text)?.[0].length;
  if (start === undefined || !text.endsWith('```') || text.length < start + 3) return undefined;
  return text.slice(start, -3).trim();
}

/** Whether an answer that begins like this may be one call as JSON. `open`: too short to tell. */
export function looksLikeWholeAnswer(beginning: string): 'open' | 'yes' | 'no' {
  if (beginsBlank(beginning)) return 'no';
  const rest = beginning.trimStart();
  if ('```'.startsWith(rest)) return 'open';
  const fence = /^```([a-z_]*)[ \t\r]*(\n?)/.exec(rest);
  if (fence) {
    if (fence[2] === '') return fence[0].length === rest.length && rest.length < 16 ? 'open' : 'no';
    if (!['', 'json', 'tool_call', 'tool_code', 'tool'].includes(fence[1] ?? '')) return 'no';
  }
  const body = rest.slice(fence?.[0].length ?? 0);
  const json = body.trimStart();
  if (beginsBlank(body) || beginsBlank(json.slice(1))) return 'no';
  if (json === '') return 'open';
  const key = /^\{\s*(?:"(\w*)("?))?/.exec(json);
  if (!key) return 'no';
  const [head, name, quote] = key;
  if (name === undefined) return head.length === json.length ? 'open' : 'no';
  if (quote !== '') return CALL_KEYS.includes(name) ? 'yes' : 'no';
  return head.length === json.length && CALL_KEYS.some((known) => known.startsWith(name)) ? 'open' : 'no';
}

const CALL_KEYS = ['name', 'tool', 'tool_name', 'function', 'type', 'arguments', 'parameters', 'id'];
