import { skipSpace, type FoundCalls, type TextCall } from './textCall';

const CALL_END = '</tool_call:opensource>';
const CALLS_END = '</tool_calls:opensource>';
const KEY = '<arg_key:opensource>';
const VALUE_END = '</arg_value:opensource>';

/**
 * Hy3: `<tool_call:opensource>read_file<tool_sep:opensource>`, then `<arg_key:opensource>path</arg_key:opensource>` and
 * `<arg_value:opensource>a.ts</arg_value:opensource>` for each argument, and the closing tag. Perhaps several in a wrapper.
 */
export function readHunyuan(markup: string, isEnd: boolean): FoundCalls | undefined {
  const calls: TextCall[] = [];
  const head = /\s*<tool_call:opensource>\s*([^<>\s]{1,200})\s*<tool_sep:opensource>\s*/y;
  const wrapper = '<tool_calls:opensource>';
  let end = markup.startsWith(wrapper) ? wrapper.length : 0;
  for (;;) {
    head.lastIndex = end;
    const name = head.exec(markup)?.[1];
    if (name === undefined) break;
    const found = readPairs(markup, head.lastIndex);
    // Its closing tag stands inside an argument.
    if (!found && !isEnd) return undefined;
    if (!found) break;
    calls.push({ name, arguments: Object.fromEntries(found.pairs) });
    end = found.end;
  }
  const after = skipSpace(markup, end);
  if (markup.startsWith(CALLS_END, after)) end = after + CALLS_END.length;
  return calls.length === 0 ? undefined : { calls, end };
}

function readPairs(
  markup: string,
  from: number,
): { readonly pairs: readonly [string, string][]; readonly end: number } | undefined {
  const pairs: [string, string][] = [];
  const key = /<arg_key:opensource>([^<>]{1,200})<\/arg_key:opensource>\s*<arg_value:opensource>/y;
  let at = from;
  while (!markup.startsWith(CALL_END, at)) {
    key.lastIndex = at;
    const name = key.exec(markup)?.[1];
    if (name === undefined) return undefined;
    // A closing tag counts where the next part of the call follows. Otherwise it is part of the value.
    let closing = markup.indexOf(VALUE_END, key.lastIndex);
    for (; closing !== -1; closing = markup.indexOf(VALUE_END, closing + 1)) {
      at = skipSpace(markup, closing + VALUE_END.length);
      if (markup.startsWith(KEY, at) || markup.startsWith(CALL_END, at)) break;
    }
    if (closing === -1) return undefined;
    pairs.push([name.trim(), markup.slice(key.lastIndex, closing)]);
  }
  return { pairs, end: at + CALL_END.length };
}
