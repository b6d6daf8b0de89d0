import { cutMiddle } from '../../context/cutMiddle';
import { CHARACTERS_PER_TOKEN, estimateTokens } from '../../context/tokenCount';
import type { ToolResultContent } from '../../messages';
import { contentToText } from '../../tool';

/**
 * The most tokens of one result or error of a tool, by estimate. Each tool has limits that suit it; this one holds for every
 * tool, also for those of MCP servers and other extensions, so that no file and no message fills the context window.
 */
export const MAX_RESULT_TOKENS = 8_000;

/** The content of a result. The middle of a longer one is replaced by a note. */
export function boundedContent(content: ToolResultContent): ToolResultContent {
  const text = contentToText(content);
  const bounded = boundedText(text);
  return bounded === text ? content : bounded;
}

/** The same for an error. Looks at a bounded number of characters. */
export function boundedText(text: string): string {
  let length = MAX_RESULT_TOKENS * CHARACTERS_PER_TOKEN;
  let bounded = cutMiddle(text, length, note);
  // Scripts other than Latin have more tokens for a character.
  while (estimateTokens(bounded) > MAX_RESULT_TOKENS + NOTE_TOKENS) {
    length = Math.floor(length * 0.9);
    bounded = cutMiddle(text, length, note);
  }
  return bounded;
}

const NOTE_TOKENS = 40;

function note(left: number): string {
  return `[… ${left} characters were left out here, because a result has at most about ${MAX_RESULT_TOKENS} tokens. Ask again for the part you need.]`;
}
