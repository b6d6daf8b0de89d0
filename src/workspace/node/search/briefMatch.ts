import { createContext, Script } from 'node:vm';
import { MATCH_LINES, type LineNumbers } from './matchedLines';

/** How long all calls of one search may take together. To start a thread takes half of it. */
const TOTAL_MS = 50;
/** How long one call may block. */
const CALL_MS = 20;

/**
 * Finds the lines of texts that match, in this thread, as long as that takes little time. `undefined`: there is no time
 * left. V8 ends an expression that takes longer, wherever it is.
 */
export function createBriefMatch(regex: RegExp): (texts: readonly string[]) => readonly LineNumbers[] | undefined {
  let leftMs = TOTAL_MS;
  return (texts) => {
    const timeoutMs = Math.min(CALL_MS, Math.floor(leftMs));
    if (timeoutMs < 1) return undefined;
    const start = performance.now();
    const found = matchWithin(timeoutMs, regex, texts);
    leftMs = found === undefined ? 0 : leftMs - (performance.now() - start);
    return found;
  };
}

/** Takes a millisecond to make, and is empty between two calls. */
let program: { readonly script: Script; readonly context: { regex?: RegExp; texts?: readonly string[] } } | undefined;

function matchWithin(timeoutMs: number, regex: RegExp, texts: readonly string[]): readonly LineNumbers[] | undefined {
  const { script, context } = (program ??= {
    script: new Script(`(${MATCH_LINES})(texts, regex)`),
    context: createContext({}),
  });
  try {
    Object.assign(context, { regex, texts });
    // Made in the context, which has arrays of its own.
    return Array.from(script.runInContext(context, { timeout: timeoutMs }) as LineNumbers[], (lines) => [...lines]);
  } catch {
    // It takes too long, or too much memory. A thread has more of both.
    return undefined;
  } finally {
    delete context.regex;
    delete context.texts;
  }
}
