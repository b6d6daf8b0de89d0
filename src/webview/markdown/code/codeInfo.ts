import { codeMention } from '../mentions';

/** What the first line of a block of code tells: `js`, `js src/cart.js`, `js:src/cart.js`, `js title="src/cart.js"`. */
export interface CodeInfo {
  /** May be empty. */
  readonly language: string;
  readonly path?: string | undefined;
}

const MAX_INFO = 400;

export function readCodeInfo(info: string): CodeInfo {
  const [first = '', ...others] = info.trim().slice(0, MAX_INFO).split(/\s+/);
  const [, beforeColon, afterColon] = /^([\w+#.-]+):([^:]+)$/.exec(first) ?? [];
  if (beforeColon !== undefined && afterColon !== undefined && codeMention(first) === undefined) {
    return { language: beforeColon, path: codeMention(afterColon)?.path };
  }
  const alone = codeMention(first)?.path;
  if (alone !== undefined) return { language: /\.(\w+)$/.exec(alone)?.[1] ?? '', path: alone };
  const values = others.map((word) => word.replace(/^(?:title|file|filename|path|name)=/i, '').replaceAll(/["']/g, ''));
  const path = values.map((value) => codeMention(value)?.path).find((found) => found !== undefined);
  return { language: /^[\w+#.-]*/.exec(first)?.[0] ?? '', path };
}
