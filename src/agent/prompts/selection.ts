import type { PromptContext } from './promptContext';
import { fenceFor } from './fence';

/** Whole lines of an open file. */
export interface Selection {
  /** The path as the tools name it. */
  readonly displayPath: string;
  readonly languageId: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The text is newer than the file on disk. */
  readonly isUnsaved: boolean;
  /** The editor's diagnostics within these lines. */
  readonly problems?: readonly SelectionProblem[] | undefined;
}

export interface SelectionProblem {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** Longer selections are cut: a small model's window must also hold the answer. */
const MAX_CHARACTERS = 24_000;
const MAX_PROBLEMS = 20;

/** The selection as context of a prompt: its place, its text and its problems. */
export function selectionContext(selection: Selection): PromptContext {
  const { text, lines } = cutAtLine(selection.text, MAX_CHARACTERS);
  const endLine = Math.min(selection.endLine, selection.startLine + lines - 1);
  const isCut = text.length < selection.text.length;
  const fence = fenceFor(text);
  const parts = [
    `Selected in ${selection.displayPath}, ${lineWord(selection)} ${range(selection)}${selection.isUnsaved ? ' (not saved yet)' : ''}:`,
    `${fence}${selection.languageId}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`,
  ];
  if (isCut) parts.push(`The selection was cut after line ${endLine}; read_file gives the rest.`);
  const problems = selection.problems ?? [];
  if (problems.length > 0) parts.push(problemList(problems));
  return { label: `${selection.displayPath}:${range(selection)}`, content: parts.join('\n') };
}

/** The prompt of "Explain Selection". */
export function explainPrompt(context: PromptContext): string {
  return `Explain ${context.label}: what it does, how, and anything in it that could surprise.`;
}

/** The prompt of "Fix Selection". */
export function fixPrompt(context: PromptContext): string {
  return `Find and fix what is wrong in ${context.label}. Say first what the mistake is. If nothing is wrong, say so and change nothing.`;
}

function lineWord({ startLine, endLine }: Selection): string {
  return startLine === endLine ? 'line' : 'lines';
}

function range({ startLine, endLine }: Selection): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}

function problemList(problems: readonly SelectionProblem[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map(({ line, message }) => `- line ${line}: ${message}`);
  const omitted = problems.length - shown.length;
  return ['Problems the editor reports there:', ...shown, ...(omitted > 0 ? [`(${omitted} more left out)`] : [])].join(
    '\n',
  );
}

/** Cuts to at most `maxCharacters`, at a line end if possible. Returns also the number of lines. */
function cutAtLine(text: string, maxCharacters: number): { text: string; lines: number } {
  let kept = text;
  if (text.length > maxCharacters) {
    const lineEnd = text.lastIndexOf('\n', maxCharacters - 1);
    // A single line above the limit is cut inside, but never within a surrogate pair.
    kept = lineEnd > 0 ? text.slice(0, lineEnd + 1) : text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
  }
  return { text: kept, lines: kept.replace(/\n$/, '').split('\n').length };
}
