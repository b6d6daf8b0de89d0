import { parseJson, type JsonObject, type JsonValue } from '../../../util/json';
import type { FoundCalls, TextCall } from './textCall';

/**
 * Kimi K3: `<|open|>call tool="read_file" index="1"<|sep|>`, then `<|open|>argument key="path" type="string"<|sep|>a.ts` with
 * `<|close|>argument<|sep|>` for each argument, or one JSON object in `json`, then `<|close|>call<|sep|>`. Several calls stand in
 * `<|open|>tools<|sep|>`. A call without its closing tag is none.
 */
export function readKimiTags(markup: string, isEnd: boolean): FoundCalls | undefined {
  const section = /\s*<\|open\|>tools<\|sep\|>/y;
  const isSection = section.test(markup);
  const calls: TextCall[] = [];
  let end = isSection ? section.lastIndex : 0;
  for (let found = readCall(markup, end); found; found = readCall(markup, end)) {
    calls.push(found.call);
    end = found.end;
  }
  if (calls.length === 0) return undefined;
  const closing = /\s*<\|close\|>tools<\|sep\|>/y;
  closing.lastIndex = end;
  if (closing.test(markup)) return { calls, end: closing.lastIndex };
  return isSection && !isEnd ? undefined : { calls, end };
}

function readCall(markup: string, from: number): { readonly call: TextCall; readonly end: number } | undefined {
  const head = /\s*<\|open\|>call((?: [\w-]+="[^"]*")*)<\|sep\|>/y;
  head.lastIndex = from;
  const opened = head.exec(markup);
  const name = opened && attributesOf(opened[1] ?? '').get('tool');
  if (!name) return undefined;
  const body = readBody(markup, head.lastIndex);
  const tail = /\s*<\|close\|>call<\|sep\|>/y;
  tail.lastIndex = body.end;
  return tail.test(markup) ? { call: { name, arguments: body.arguments }, end: tail.lastIndex } : undefined;
}

function readBody(markup: string, from: number): { readonly arguments: TextCall['arguments']; readonly end: number } {
  const json =
    /\s*<\|open\|>json(?: [\w-]+="[^"]*")*<\|sep\|>([^]*?)<\|close\|>json<\|sep\|>(?=\s*<\|close\|>call<\|sep\|>)/y;
  json.lastIndex = from;
  const object = json.exec(markup)?.[1];
  if (object !== undefined) return { arguments: object, end: json.lastIndex };
  // A closing tag counts where the next part of the call follows. Otherwise it is part of the value.
  const argument =
    /\s*<\|open\|>argument((?: [\w-]+="[^"]*")*)<\|sep\|>([^]*?)<\|close\|>argument<\|sep\|>(?=\s*(?:<\|open\|>argument |<\|close\|>call<\|sep\|>))/y;
  const pairs: [string, JsonValue][] = [];
  let end = from;
  argument.lastIndex = from;
  for (let match = argument.exec(markup); match; match = argument.exec(markup)) {
    const attributes = attributesOf(match[1] ?? '');
    const value = match[2] ?? '';
    const isText = (attributes.get('type') ?? 'string') === 'string';
    pairs.push([attributes.get('key') ?? '', isText ? value : ((parseJson(value) as JsonValue | undefined) ?? value)]);
    end = argument.lastIndex;
  }
  return { arguments: Object.fromEntries(pairs) satisfies JsonObject, end };
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)];
  return new Map(
    pairs.map(([, key = '', value = '']) => [key, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')]),
  );
}
