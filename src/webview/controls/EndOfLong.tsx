import { VisibleText } from './VisibleText';

/** A longer text scrolls in its own box, and its end is shown below. */
const maxPlainCharacters = 2_000;
const maxPlainLines = 25;
const tailCharacters = 120;

export function isLongText(text: string): boolean {
  return text.length > maxPlainCharacters || linesOf(text) > maxPlainLines;
}

/** The length and the end of a text that scrolls, so that nothing can hide its end. `subject`: its name and verb. */
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
      <span>
        {subject} long: {text.length} characters, {lines === 1 ? 'one line' : `${lines} lines`}. {ending} with:{' '}
        <code>
          <VisibleText text={text.slice(-tailCharacters)} kind="path" />
        </code>
      </span>
    </p>
  );
}

function linesOf(text: string): number {
  return text.split('\n').length;
}
