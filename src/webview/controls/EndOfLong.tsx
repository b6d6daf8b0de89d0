import { VisibleText } from './VisibleText';

/** A longer text scrolls in a box of its own, with its end shown apart. */
const maxPlainCharacters = 2_000;
const maxPlainLines = 25;
const tailCharacters = 120;

export function isLongText(text: string): boolean {
  return text.length > maxPlainCharacters || linesOf(text) > maxPlainLines;
}

/** How long a text is that scrolls, and its end: nothing in it can push that out of sight. `subject`: what it is, with its verb. */
export function EndOfLong({
  text,
  subject,
  ending,
}: {
  readonly text: string;
  readonly subject: string;
  readonly ending: string;
}) {
  const lines = linesOf(text);
  return (
    <p class="approval-warning">
      {subject} long: {text.length} characters, {lines === 1 ? 'one line' : `${lines} lines`}. {ending} with:{' '}
      <code>
        <VisibleText text={text.slice(-tailCharacters)} kind="path" />
      </code>
    </p>
  );
}

function linesOf(text: string): number {
  return text.split('\n').length;
}
