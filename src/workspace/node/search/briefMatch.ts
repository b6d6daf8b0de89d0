import { createContext, Script } from 'node:vm';
import { MATCH_LINES, type LineNumbers } from './matchedLines';

/** In milliseconds. */
interface BriefTimes {
  /** How long one call may block. */
  readonly call: number;
  /** How long all calls of one search may take together. To start a thread takes half of it. */
  readonly total: number;
}

const USUAL_TIMES: BriefTimes = { call: 20, total: 50 };

/**
 * Finds the lines of texts that match, in this thread, as long as that takes little time. `undefined`: there is no time
 * left. V8 ends an expression that takes longer, wherever it is.
 */
export function createBriefMatch(
  regex: RegExp,
  times: BriefTimes = USUAL_TIMES,
): (texts: readonly string[]) => readonly LineNumbers[] | undefined {
  let leftMs = times.total;
  return (texts) => {
    const timeoutMs = Math.min(times.call, Math.floor(leftMs));
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
