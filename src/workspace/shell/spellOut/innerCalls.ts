import type { Node } from '@vscode/tree-sitter-wasm';
import { quoteWord } from '../commandRules';
import { literalWord } from '../parse/posixTree';
import { findReferences, putValues } from './references';
import { inSequence, replaceRange, withoutEnd, type Range, type Rewriting } from './rewriting';
import { readXargs } from './xargs';

// Calls whose arguments are another call: of `xargs`, `find -exec` and `sh -c`.

/** The words of a call from the one at `first` on. `undefined`: one of them is not literal. */
export function literalCall(node: Node | null, first = 0): readonly string[] | undefined {
  if (node?.type !== 'command') return undefined;
  const words = node.children.slice(first).map((child) => (child ? literalArgument(child) : undefined));
  return words.every((word) => word !== undefined) ? words : undefined;
}

/** The text of a literal word. `undefined`: it is a list in braces, or not literal. */
function literalArgument(node: Node): string | undefined {
  const isList = /^(?:word|concatenation)$/.test(node.type) && node.text.includes('{') && /,|\.\./.test(node.text);
  return isList ? undefined : literalWord(node);
}

function written(call: readonly string[]): string {
  return call.map(quoteWord).join(' ');
}

/** The calls in a pipeline that read the output of what is before them. `before`: what they read. */
export function inputsIn(pipeline: Node): readonly { readonly reader: Node; readonly before: Range }[] {
  const stages = pipeline.children.filter((child) => child !== null);
  return stages.flatMap((stage, index) => {
    const pipe = stages[index - 1];
    const body = stage.type === 'redirected_statement' ? stage.childForFieldName('body') : stage;
    if (pipe?.type !== '|' || !body) return [];
    return [{ reader: body, before: { start: pipeline.startIndex, end: pipe.startIndex } }];
  });
}

/** `… | xargs call`, with the words that xargs would add. */
export function rewriteXargs(command: string, pipeline: Node): Rewriting | undefined {
  for (const { reader, before } of inputsIn(pipeline)) {
    const words = literalCall(reader);
    const calls = words?.[0] === 'xargs' ? readXargs(words.slice(1)) : undefined;
    if (!calls) continue;
    const range = { start: before.start, end: reader.endIndex };
    return {
      kind: 'needs output',
      of: command.slice(before.start, before.end).trim(),
      use: (output) => {
        const text = calls(output);
        // xargs fails with 123 if one of them fails. For a sequence the last one decides, and with its own code.
        const rest = command.slice(range.end);
        if ((text && text.length > 1 && DEPENDS.test(rest)) || (rest.includes('$?') && text?.every(isEcho) !== true))
          return undefined;
        const sequence = text && inSequence(text.map((call) => (typeof call === 'string' ? call : written(call))));
        return sequence === undefined ? undefined : replaceRange(command, range, sequence);
      },
    };
  }
  return undefined;
}

/** It never fails. */
function isEcho(call: string | readonly string[]): boolean {
  return call[0] === 'echo';
}

/** What follows runs only if the call before it succeeds, or fails. */
const DEPENDS = /^[ \t;)}]*(?:&&|\|\||then\b)/;

interface ExecAction {
  readonly call: readonly string[];
  readonly takesAll: boolean;
}

/** `find … -exec call {} +` and `\;`, with the names that it finds. */
export function rewriteFindExec(command: string, node: Node): Rewriting | undefined {
  const children = node.children.filter((child) => child !== null);
  if (children[0]?.text !== 'find') return undefined;
  const first = children.findIndex(({ text }) => text === '-exec');
  const start = children[first]?.startIndex;
  const words = children.slice(first).map(literalArgument);
  if (start === undefined || !words.every((word) => word !== undefined)) return undefined;
  // It would print too, or `!` turns the result of the call around.
  const before = children.slice(0, first).map(({ text }) => text);
  if (before.some((text) => /^-(?:f?print|f?ls|delete|quit|exec|ok)/.test(text))) return undefined;
  if (/^(?:\\?!|'!'|"!"|-not)$/.test(before.at(-1) ?? '')) return undefined;
  const actions = readActions(words);
  if (!actions) return undefined;
  const range = { start: node.startIndex, end: node.endIndex };
  return {
    kind: 'needs output',
    of: `${command.slice(node.startIndex, start)}-print0`,
    use: (output) => {
      const names = output.split('\0').slice(0, -1);
      // Without a name, find itself tells whether there is such a folder.
      const search = command.slice(node.startIndex, start).trim();
      const sequence = names.length === 0 ? search : inSequence(callsFor(names, actions));
      return sequence === undefined ? undefined : replaceRange(command, range, sequence);
    },
  };
}

/** Several ones run for each name as long as they succeed. */
function readActions(words: readonly string[]): readonly ExecAction[] | undefined {
  const actions: ExecAction[] = [];
  let rest = words;
  while (rest.length > 0) {
    if (rest.length === 1 && rest[0] === '-print' && actions.length > 0)
      return [...actions, { call: ['echo', '{}'], takesAll: false }];
    const end = rest.findIndex((word, index) => word === ';' || (word === '+' && rest[index - 1] === '{}'));
    const call = rest.slice(1, end);
    if (rest[0] !== '-exec' || end < 2) return undefined;
    const takesAll = rest[end] === '+';
    actions.push({ call: takesAll ? call.slice(0, -1) : call, takesAll });
    rest = rest.slice(end + 1);
  }
  return actions.length === 1 || !actions.some(({ takesAll }) => takesAll) ? actions : undefined;
}

function callsFor(names: readonly string[], actions: readonly ExecAction[]): readonly string[] {
  const [first] = actions;
  if (first?.takesAll) return [written([...first.call, ...names])];
  const calls = names.map((name) =>
    actions.map(({ call }) => written(call.map((word) => word.replaceAll('{}', name)))).join(' && '),
  );
  // find succeeds also if a call fails.
  return [...calls, 'true'];
}

/** The script of `sh -c script`, if that is all that the shell gets. */
export function scriptOfShell(node: Node): { readonly script: string; readonly args: readonly string[] } | undefined {
  const [name = '', ...words] = literalCall(node) ?? [];
  if (name !== 'bash' && name !== 'sh') return undefined;
  const [options = '', script, ...args] = words;
  return script !== undefined && /^-l?c$/.test(options) ? { script, args } : undefined;
}

/** The script with `$0`, `$1` and the like replaced. `script`: the tree of it. */
export function withArguments(script: Node, args: readonly string[]): string | undefined {
  const names = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '@', '*', '#'];
  const references = findReferences(script, names);
  if (!references || references.some(({ name }) => /\D/.test(name))) return undefined;
  const values = Object.fromEntries(names.map((name, index) => [name, args[index] ?? '']));
  const range = { start: 0, end: script.text.length };
  const text = putValues(script.text, range, references, values);
  return text === undefined ? undefined : withoutEnd(text);
}
