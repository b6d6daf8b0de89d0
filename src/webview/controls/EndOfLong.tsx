import type { ComponentChildren } from 'preact';
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
        {lengthText(
          subject,
          text.length,
          linesOf(text),
          <code>
            <VisibleText text={text.slice(-tailCharacters)} kind="path" />
          </code>,
        )}
      </span>
    </p>
  );
}

function lengthText(
  subject: EndOfLongProperties['subject'],
  characters: number,
  lines: number,
  end: ComponentChildren,
): ComponentChildren {
  if (subject === 'command')
    return lines === 1
      ? l10n.parts('The command is long: {0} characters, one line. It ends with: {1}', characters, end)
      : l10n.parts('The command is long: {0} characters, {1} lines. It ends with: {2}', characters, lines, end);
  return lines === 1
    ? l10n.parts('The arguments are long: {0} characters, one line. They end with: {1}', characters, end)
    : l10n.parts('The arguments are long: {0} characters, {1} lines. They end with: {2}', characters, lines, end);
}

function linesOf(text: string): number {
  return text.split('\n').length;
}
