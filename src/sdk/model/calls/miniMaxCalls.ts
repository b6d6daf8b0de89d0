import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import type { FoundCalls, TextCall } from './textCall';

/** Stands before each tag of MiniMax M3. */
export const MINIMAX_TOKEN = ']<]minimax[>[';

/** Deeper values are no arguments of tools. */
const MAX_DEPTH = 32;

interface Tag {
  readonly name: string;
  text: string;
  /** The tags inside, if it has any. */
  readonly inner: [string, JsonValue][];
}

/**
 * MiniMax M3: `<tool_call>`, then `<invoke name="read_file">`, a tag for each argument with its name, and the closing tags, each
 * after the token. Objects and lists are tags inside, those of lists named `item`.
 */
export function readMiniMaxTags(markup: string, isEnd: boolean): FoundCalls | undefined {
  const calls: TextCall[] = [];
  /** The call and its arguments, from the outermost to the one that is open. */
  let open: Tag[] = [];
  let end = 0;
  let at = 0;
  while (markup.startsWith(MINIMAX_TOKEN, at)) {
    const from = at + MINIMAX_TOKEN.length;
    const next = markup.indexOf(MINIMAX_TOKEN, from);
    const piece = markup.slice(from, next === -1 ? markup.length : next);
    const tag = /^<(\/?)([^<>\s/"]{1,200})(?: name="([^"<>]{1,200})")?>/.exec(piece);
    const [whole = '', slash, name = '', callName] = tag ?? [];
    const current = open.at(-1);
    const text = piece.slice(whole.length);
    if (!current && tag && (name === 'tool_call' || (name === 'invoke' && slash === '' && callName !== undefined))) {
      if (name === 'invoke') open = [{ name: callName ?? '', text, inner: [] }];
      else if (slash === '/') return { calls, end: from + whole.length };
    } else if (!current) return undefined;
    else if (slash === '/' && name === (open.length === 1 ? 'invoke' : current.name)) {
      open.pop();
      const value = valueOf(current, open.length === 0);
      const outer = open.at(-1);
      if (value === undefined) return undefined;
      if (outer) {
        outer.inner.push([current.name, value]);
        outer.text += text;
      } else {
        calls.push({ name: current.name, arguments: isJsonObject(value) ? value : {} });
        end = from + whole.length;
      }
    } else if (slash === '' && callName === undefined && open.length < MAX_DEPTH) {
      open.push({ name, text, inner: [] });
      // No tag: the token stands in the text of a value.
    } else current.text += MINIMAX_TOKEN + piece;
    if (next === -1) break;
    at = next;
  }
  // A closing tag before the end of the answer stands inside an argument, if the call is still open.
  if (calls.length === 0 || (open.length > 0 && !isEnd)) return undefined;
  return { calls, end };
}

/** `undefined`: it has both text and tags. */
function valueOf({ text, inner }: Tag, isCall: boolean): JsonValue | undefined {
  if (inner.length === 0) return isCall ? {} : text;
  if (text.trim() !== '') return undefined;
  if (!isCall && inner.every(([name]) => name === 'item')) return inner.map(([, value]) => value);
  return Object.fromEntries(inner) satisfies JsonObject;
}
