import { isJsonObject } from '../../../util/json';
import { JsonBalance } from './jsonBalance';
import { readJsonCall, readJsonCalls, skipSpace, type FoundCalls, type TextCall } from './textCall';
import { parseToolArguments } from './toolArguments';

/** Mistral: `[TOOL_CALLS][{"name":…,"arguments":{…}}]`, or of late `[TOOL_CALLS]name[ARGS]{…}`, repeated. */
export function readMistral(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = 0;
  const head = /\s*\[TOOL_CALLS\]\s*([\w.-]*)(?:\[CALL_ID\]\w*)?(?:\[ARGS\])?\s*/y;
  for (;;) {
    head.lastIndex = end;
    const match = head.exec(markup);
    if (!match) break;
    const json = jsonAt(markup, head.lastIndex);
    if (json === undefined) break;
    const name = match[1] ?? '';
    const found = name === '' ? readJsonCalls(json) : [{ name, arguments: json }];
    if (found.length === 0) break;
    calls.push(...found);
    end = head.lastIndex + json.length;
  }
  return calls.length === 0 ? undefined : { calls, end };
}

/** Llama: `<|python_tag|>{"name":…,"parameters":{…}}`, several separated by semicolons. */
export function readPythonTag(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let position = '<|python_tag|>'.length;
  let end = position;
  for (;;) {
    const json = jsonAt(markup, skipSpace(markup, position));
    const call = json === undefined ? undefined : readJsonCall(json);
    if (json === undefined || !call) break;
    calls.push(call);
    end = skipSpace(markup, position) + json.length;
    const separator = /\s*;/y;
    separator.lastIndex = end;
    position = separator.test(markup) ? separator.lastIndex : end;
  }
  const token = /\s*<\|(?:eom_id|eot_id)\|>/y;
  token.lastIndex = end;
  if (token.test(markup)) end = token.lastIndex;
  return calls.length === 0 ? undefined : { calls, end };
}

/** Kimi: `<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, perhaps in a section. */
export function readKimi(markup: string): FoundCalls | undefined {
  return readTokenCalls(
    markup,
    /<\|tool_call_begin\|>([^<]{1,300})<\|tool_call_argument_begin\|>\s*/g,
    /\s*(?:<\|tool_call_end\|>\s*)?(?:<\|tool_calls_section_end\|>)?/y,
  );
}

/** DeepSeek: `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, older ones with a type and a fence. */
export function readDeepSeek(markup: string): FoundCalls | undefined {
  return readTokenCalls(
    markup,
    /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?\s*([\w.:-]+)\s*(?:<｜tool▁sep｜>|\n)?\s*(?:```(?:json)?\s*)?/g,
    /\s*(?:```\s*)?(?:<｜tool▁call▁end｜>\s*)?(?:<｜tool▁calls▁end｜>)?/y,
  );
}

/** Solar: `<|tool_call:begin|>id<|tool_call:name|>read_file<|tool_call:args|>{…}<|tool_call:end|>`, repeated. */
export function readSolar(markup: string): FoundCalls | undefined {
  return readTokenCalls(
    markup,
    /<\|tool_call:begin\|>[^<]{0,64}<\|tool_call:name\|>([^<]{1,300})<\|tool_call:args\|>\s*/g,
    /\s*(?:<\|tool_call:end\|>)?(?:\s*<\|calls\|>)?/y,
  );
}

/** Firefunction, and Phi-4-mini by its makers' prompt: `functools[{"name":…,"arguments":{…}}, …]`. */
export function readFunctools(markup: string): FoundCalls | undefined {
  const start = 'functools'.length;
  const json = jsonAt(markup, start);
  const calls = json === undefined ? [] : readJsonCalls(json);
  return json === undefined || calls.length === 0 ? undefined : { calls, end: start + json.length };
}

/** GigaChat: `<|function_call|>{"name":…,"arguments":{…}}`. */
export function readGigaChat(markup: string): FoundCalls | undefined {
  const start = skipSpace(markup, '<|function_call|>'.length);
  const json = jsonAt(markup, start);
  const call = json === undefined ? undefined : readJsonCall(json);
  if (json === undefined || !call) return undefined;
  const token = /\s*<\|message_sep\|>/y;
  token.lastIndex = start + json.length;
  return { calls: [call], end: token.test(markup) ? token.lastIndex : start + json.length };
}

/** Apertus: `<|tools_prefix|>[{"read_file": {"path": "a.ts"}}, …]<|tools_suffix|>`. */
export function readApertus(markup: string): FoundCalls | undefined {
  const start = skipSpace(markup, '<|tools_prefix|>'.length);
  const json = jsonAt(markup, start);
  const parsed = parseToolArguments(`{"calls":${json ?? ''}}`, { lenient: true });
  const list = parsed.ok ? parsed.input['calls'] : undefined;
  if (json === undefined || !Array.isArray(list)) return undefined;
  const calls = list.filter(isJsonObject).flatMap((item): TextCall[] => {
    const [entry, ...others] = Object.entries(item);
    const input = entry?.[1];
    return entry && others.length === 0 && isJsonObject(input) ? [{ name: entry[0], arguments: input }] : [];
  });
  if (calls.length === 0 || calls.length !== list.length) return undefined;
  const suffix = /\s*<\|tools_suffix\|>/y;
  suffix.lastIndex = start + json.length;
  return { calls, end: suffix.test(markup) ? suffix.lastIndex : start + json.length };
}

/** A name may have blanks around it and a number after it: cut here, because in the pattern this takes cubic time. */
function readTokenCalls(markup: string, head: RegExp, tail: RegExp): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = 0;
  for (let match = head.exec(markup); match; match = head.exec(markup)) {
    const json = jsonAt(markup, head.lastIndex);
    if (json === undefined) return undefined;
    calls.push({ name: (match[1] ?? '').trim().replace(/:\d{1,10}$/, ''), arguments: json });
    tail.lastIndex = head.lastIndex + json.length;
    end = tail.test(markup) ? tail.lastIndex : head.lastIndex + json.length;
    head.lastIndex = end;
  }
  return calls.length === 0 ? undefined : { calls, end };
}

/** The JSON object or array that begins at `from`, up to its closing bracket. */
function jsonAt(text: string, from: number): string | undefined {
  if (text[from] !== '{' && text[from] !== '[') return undefined;
  const length = new JsonBalance().feed(text.slice(from));
  return length === -1 ? undefined : text.slice(from, from + length);
}
