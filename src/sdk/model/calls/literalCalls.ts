import { JsonBalance } from './jsonBalance';
import { readLooseFields } from './looseLiteral';
import { readJsonCall, readJsonCalls, skipSpace, type FoundCalls, type TextCall } from './textCall';

/** LFM: `<|tool_call_start|>[read_file(path="a"), …]<|tool_call_end|>`, or JSON in the same place. */
export function readLfm(markup: string): FoundCalls | undefined {
  const bodyStart = skipSpace(markup, '<|tool_call_start|>'.length);
  const found = readJsonBody(markup, bodyStart) ?? readPythonCalls(markup, bodyStart);
  return found && { calls: found.calls, end: endAfter(markup, found.end, '<|tool_call_end|>') };
}

/** Gemma 4: `<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>`. */
export function readGemma(markup: string): FoundCalls | undefined {
  const head = /<\|tool_call>\s*call:\s*([\w.:-]+)\s*\{/y;
  const name = head.exec(markup)?.[1];
  if (name === undefined) return undefined;
  const found = readLooseFields(markup, head.lastIndex, { separator: ':', close: '}' });
  return found && { calls: [{ name, arguments: found.fields }], end: endAfter(markup, found.end, '<tool_call|>') };
}

/** MiniMax M2 and others: `[TOOL_CALL]{"name":…}[/TOOL_CALL]`, or `{tool => "read_file", args => {--path "a"}}`. */
export function readBracketCall(markup: string): FoundCalls | undefined {
  const bodyStart = skipSpace(markup, '[TOOL_CALL]'.length);
  const found = readJsonBody(markup, bodyStart) ?? readArrows(markup, bodyStart);
  return found && { calls: found.calls, end: endAfter(markup, found.end, '[/TOOL_CALL]') };
}

/** The JSON at `from`: one call or a list of calls, several of them in a row. */
export function readJsonBody(markup: string, from: number): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = from;
  for (;;) {
    const start = skipSpace(markup, markup[end] === ',' ? end + 1 : end);
    if (markup[start] !== '{' && markup[start] !== '[') break;
    const length = new JsonBalance().feed(markup.slice(start));
    const json = length === -1 ? undefined : markup.slice(start, start + length);
    const call = json === undefined ? undefined : readJsonCall(json);
    const found = call ? [call] : json === undefined ? [] : readJsonCalls(json);
    if (found.length === 0) break;
    calls.push(...found);
    end = start + length;
  }
  return calls.length === 0 ? undefined : { calls, end };
}

function readPythonCalls(markup: string, from: number): FoundCalls | undefined {
  if (markup[from] !== '[') return undefined;
  const calls: TextCall[] = [];
  let at = skipSpace(markup, from + 1);
  const head = /([A-Za-z_][\w.-]*)\s*\(/y;
  while (markup[at] !== ']') {
    head.lastIndex = at;
    const name = head.exec(markup)?.[1];
    if (name === undefined) return undefined;
    const found = readLooseFields(markup, head.lastIndex, { separator: '=', close: ')' });
    if (!found) return undefined;
    calls.push({ name, arguments: found.fields });
    at = skipSpace(markup, found.end);
    if (markup[at] === ',') at = skipSpace(markup, at + 1);
    else if (markup[at] !== ']') return undefined;
  }
  return calls.length === 0 ? undefined : { calls, end: at + 1 };
}

function readArrows(markup: string, from: number): FoundCalls | undefined {
  const head = /\{\s*tool\s*=>\s*"([^"]+)"\s*,?\s*args\s*=>\s*\{/y;
  head.lastIndex = from;
  const name = head.exec(markup)?.[1];
  if (name === undefined) return undefined;
  const pairs: [string, string][] = [];
  const pair = /\s*--([\w.-]+)\s+(?:"((?:[^"\\]|\\[^])*)"|([^\s"{}]+))/y;
  let end = head.lastIndex;
  for (;;) {
    pair.lastIndex = end;
    const match = pair.exec(markup);
    if (!match) break;
    pairs.push([match[1] ?? '', match[2] === undefined ? (match[3] ?? '') : unescaped(match[2])]);
    end = pair.lastIndex;
  }
  const tail = /\s*\}\s*\}/y;
  tail.lastIndex = end;
  return tail.test(markup)
    ? { calls: [{ name, arguments: Object.fromEntries(pairs) }], end: tail.lastIndex }
    : undefined;
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\nt])/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);
}

/** The index after the closing marker, where it follows. */
function endAfter(markup: string, end: number, close: string): number {
  const after = skipSpace(markup, end);
  return markup.startsWith(close, after) ? after + close.length : end;
}
