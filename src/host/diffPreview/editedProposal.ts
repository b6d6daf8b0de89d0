const byteOrderMark = '\uFEFF';

/** Editors show a text without its byte order mark. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/**
 * What is to be written when a proposal looks like `shown` in its editor: `undefined` when nobody typed into it. An
 * editor knows one kind of line end and no byte order mark, so that only what differs beyond these was typed.
 */
export function editedProposal(proposed: string, shown: string): string | undefined {
  if (withLineFeeds(withoutByteOrderMark(proposed)) === withLineFeeds(shown)) return undefined;
  return proposed.startsWith(byteOrderMark) ? byteOrderMark + shown : shown;
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
