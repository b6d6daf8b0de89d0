import { sentence } from './sentence';
import * as l10n from '../../util/l10n';
import { VisibleText } from './VisibleText';

/** A longer text scrolls in its own box, and its end is shown below. */
const maxPlainCharacters = 2_000;
const maxPlainLines = 25;
const tailCharacters = 120;

export function isLongText(text: string): boolean {
  return text.length > maxPlainCharacters || linesOf(text) > maxPlainLines;
}

interface EndOfLongProperties {
  readonly text: string;
  readonly subject: 'command' | 'arguments';
}

/** The length and the end of a text that scrolls, so that nothing can hide its end. */
export function EndOfLong({ text, subject }: EndOfLongProperties) {
  return (
    <p class="approval-warning">
      <span>
        {sentence(
          lengthText(subject, text.length, linesOf(text)),
          <code>
            <VisibleText text={text.slice(-tailCharacters)} kind="path" />
          </code>,
        )}
      </span>
    </p>
  );
}

/** `{0}` stands for the end of the text. */
function lengthText(subject: EndOfLongProperties['subject'], characters: number, lines: number): string {
  if (subject === 'command')
    return lines === 1
      ? l10n.t('The command is long: {1} characters, one line. It ends with: {0}', '{0}', characters)
      : l10n.t('The command is long: {1} characters, {2} lines. It ends with: {0}', '{0}', characters, lines);
  return lines === 1
    ? l10n.t('The arguments are long: {1} characters, one line. They end with: {0}', '{0}', characters)
    : l10n.t('The arguments are long: {1} characters, {2} lines. They end with: {0}', '{0}', characters, lines);
}

function linesOf(text: string): number {
  return text.split('\n').length;
}
