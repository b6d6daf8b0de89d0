import type { Node } from '@vscode/tree-sitter-wasm';
import { literalWord } from '../parse/posixTree';
import { inputsIn, literalCall } from './innerCalls';
import { findReferences, isOwnVariable, putValues } from './references';
import { inSequence, MAX_CALLS, replaceRange, withoutEnd, type Range, type Rewriting } from './rewriting';

/** What a loop runs for each of its values. */
interface Body {
  /** The body with values in the place of its variables. `undefined`: the shell would split a value. */
  readonly with: (values: Readonly<Record<string, string>>) => string | undefined;
}

function bodyOf(command: string, loop: Node, names: readonly string[]): Body | undefined {
  const group = loop.childForFieldName('body');
  const first = group?.firstChild;
  const last = group?.lastChild;
  if (group?.type !== 'do_group' || first?.text !== 'do' || last?.text !== 'done') return undefined;
  const references = findReferences(group, names);
  if (!references || setsAgain(group, names)) return undefined;
  const part = { start: first.endIndex, end: last.startIndex };
  return {
    with: (values) => {
      const text = putValues(command, part, references, values);
      return text === undefined ? undefined : withoutEnd(text);
    },
  };
}

/** Whether something in a loop gives its variable another value. */
function setsAgain(group: Node, names: readonly string[]): boolean {
  return group
    .descendantsOfType(['variable_assignment', 'for_statement', 'while_statement', 'declaration_command'])
    .some((node) => {
      if (node?.type === 'variable_assignment') return names.includes(node.childForFieldName('name')?.text ?? '');
      const head =
        node?.type === 'while_statement' ? node.childForFieldName('condition')?.text : node?.text.slice(0, 200);
      return names.some((name) => new RegExp(String.raw`\b${name}\b`).test(head?.replace(/\bdo\b.*$/s, '') ?? ''));
    });
}

/** `for f in words; do …; done`. */
export function rewriteFor(command: string, loop: Node): Rewriting | undefined {
  const name = loop.childForFieldName('variable')?.text ?? '';
  const words = loop.childrenForFieldName('value').filter((child) => child !== null);
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last || !isOwnVariable(name) || loop.firstChild?.text !== 'for') return undefined;
  const body = bodyOf(command, loop, [name]);
  if (!body) return undefined;
  const range = { start: loop.startIndex, end: loop.endIndex };
  const list = withRanges(command.slice(first.startIndex, last.endIndex));
  return {
    kind: 'needs output',
    // The dot shows that there are no words, for which printf would print an empty line.
    of: String.raw`printf '%s\n' . ${list}`,
    use: (output) =>
      unroll(
        command,
        range,
        body,
        output
          .split('\n')
          .slice(1, -1)
          .map((value) => ({ [name]: value })),
      ),
  };
}

/** `{1..5}` written out. */
function withRanges(words: string): string {
  return words.replaceAll(
    /(?<=^|[ \t])\{(\d{1,4})\.\.(\d{1,4})\}(?=[ \t]|$)/g,
    (range, first: string, last: string) => {
      const [low, high] = [Number(first), Number(last)];
      const length = Math.abs(high - low) + 1;
      // So many calls ask in any case.
      if (length > MAX_CALLS) return range;
      return Array.from({ length }, (_each, index) => String(low + (high < low ? -index : index))).join(' ');
    },
  );
}

function unroll(
  command: string,
  range: Range,
  body: Body,
  values: readonly Readonly<Record<string, string>>[],
): string | undefined {
  const commands = values.map((each) => body.with(each));
  if (!commands.every((text) => text !== undefined)) return undefined;
  const sequence = inSequence(commands);
  return sequence === undefined ? undefined : replaceRange(command, range, sequence);
}

/** `… | while read f; do …; done` in a pipeline. */
export function rewritePipedRead(command: string, pipeline: Node): Rewriting | undefined {
  for (const { reader, before } of inputsIn(pipeline)) {
    const range = { start: before.start, end: reader.endIndex };
    const found = rewriteRead(command, reader, { range, of: command.slice(before.start, before.end).trim() });
    if (found) return found;
  }
  return undefined;
}

/** `while read f; do …; done < file` and `< <(…)`. */
export function rewriteReadOf(command: string, statement: Node): Rewriting | undefined {
  const [loop, redirect, ...more] = statement.children.filter((child) => child !== null);
  const [sign, file] = redirect?.type === 'file_redirect' ? redirect.children : [];
  if (!loop || more.length > 0 || sign?.text !== '<' || !file) return undefined;
  const isFile = file.type !== 'process_substitution';
  // A pattern may stand for several files, which is an error here.
  if (isFile && literalWord(file) === undefined) return undefined;
  const of = isFile ? `cat ${file.text}` : file.text.slice(2, -1).trim();
  const range = { start: statement.startIndex, end: statement.endIndex };
  const found = rewriteRead(command, loop, { range, of });
  if (found?.kind !== 'needs output' || !isFile) return found;
  // Perhaps there is no such file, so the loop fails.
  return { ...found, use: (output) => (output === '' ? undefined : found.use(output)) };
}

function rewriteRead(
  command: string,
  loop: Node,
  { range, of }: { readonly range: Range; readonly of: string },
): Rewriting | undefined {
  if (loop.type !== 'while_statement' || loop.firstChild?.text !== 'while') return undefined;
  const conditions = loop.childrenForFieldName('condition').filter((node) => node?.isNamed);
  const condition = conditions.length === 1 ? conditions[0]! : null;
  const keepsBlanks = condition?.firstChild?.text === 'IFS=';
  const words = literalCall(condition, keepsBlanks ? 1 : 0);
  const isNul = words?.includes('-d') === true && words[words.indexOf('-d') + 1] === '';
  const [name, ...rest] = words?.filter((word) => word !== '-d' && word !== '') ?? [];
  const isRaw = rest[0] === '-r';
  const names = isRaw ? rest.slice(1) : rest;
  if (name !== 'read' || names.length === 0 || !names.every(isOwnVariable)) return undefined;
  const body = bodyOf(command, loop, names);
  if (!body) return undefined;
  return {
    kind: 'needs output',
    of,
    use: (output) => {
      if (!isRaw && output.includes('\\')) return undefined;
      // A last line without an end is read, but the loop ends with it.
      const lines = output.split(isNul ? '\0' : '\n').slice(0, -1);
      return unroll(
        command,
        range,
        body,
        lines.map((line) => splitLine(line, names, keepsBlanks)),
      );
    },
  };
}

/** The last variable gets all that is left. */
function splitLine(line: string, names: readonly string[], keepsBlanks: boolean): Readonly<Record<string, string>> {
  if (keepsBlanks) return Object.fromEntries(names.map((name, index) => [name, index === 0 ? line : '']));
  const values: Record<string, string> = {};
  let rest = line.replace(/^[ \t]+|[ \t]+$/g, '');
  for (const [index, name] of names.entries()) {
    const [value = ''] = index === names.length - 1 ? [rest] : rest.split(/[ \t]/, 1);
    values[name] = value;
    rest = rest.slice(value.length).replace(/^[ \t]+/, '');
  }
  return values;
}
