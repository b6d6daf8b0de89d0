import type { Node } from '@vscode/tree-sitter-wasm';
import { quoteWord } from '../commandRules';
import { literalWord } from '../parse/posixTree';
import { findReferences, isOwnVariable, putValues, quotedAgain, readsDifferently } from './references';
import { replaceRange, withoutEnd, type Rewriting } from './rewriting';

/** `cd folder` at the beginning, with its folder as written. */
export function findFirstMove(root: Node): Node | undefined {
  let node: Node | null = root;
  while (node && /^(?:program|list)$/.test(node.type)) node = node.firstChild;
  const [name, folder, ...more] = node?.type === 'command' ? node.children : [];
  return node && name?.text === 'cd' && folder && more.length === 0 ? node : undefined;
}

/** `cd folder; rest` and `cd folder && a; rest`: nothing of the rest runs if `cd` fails. */
export function bindToMove(command: string, root: Node): Rewriting | undefined {
  const move = findFirstMove(root);
  const behind = move && /^[ \t]*(;|&&)[ \t]*/.exec(command.slice(move.endIndex));
  if (!move || !behind) return undefined;
  const rest = withoutEnd(command.slice(move.endIndex + behind[0].length));
  const isLoose = root.children.some((child) => child?.type === ';') || root.firstChild?.firstChild?.type === 'list';
  if (rest === '' || (behind[1] === '&&' && !isLoose) || /^\{.*\}$/s.test(rest)) return undefined;
  const start = command.slice(0, move.endIndex);
  return { kind: 'done', command: `${start} && { ${rest}; }` };
}

/** A group around all of a command. Each command has a shell of its own, so it changes nothing. */
export function withoutGroup(root: Node): Rewriting | undefined {
  const [group, ...more] = root.children;
  if (group?.type !== 'subshell' || more.length > 0) return undefined;
  return { kind: 'done', command: withoutEnd(group.text.slice(1, -1)) };
}

/** The grammar takes long to find what is around many of them. */
const MAX_ASSIGNMENTS = 50;

/** `f=value` at the top, with the value put in until it is set again. */
export function rewriteAssignment(command: string, root: Node): Rewriting | undefined {
  const all = root.descendantsOfType('variable_assignment').filter((node) => node !== null);
  if (all.length > MAX_ASSIGNMENTS) return undefined;
  const assignment = all.find((node) => isStatement(node));
  const name = assignment?.childForFieldName('name')?.text ?? '';
  const value = assignment?.childForFieldName('value');
  const text = value ? literalWord(value) : undefined;
  if (!assignment || text === undefined || !isOwnVariable(name) || /(?:^|:)~/.test(text)) return undefined;
  const parent = assignment.parent;
  const sameName = all.filter((node) => node.childForFieldName('name')?.text === name);
  // `f+=value`
  if (sameName.some((node) => node.children.some((child) => child?.type === '+='))) return undefined;
  const isNested = sameName.some((node) => node.parent?.id !== parent?.id && node.parent?.type !== 'program');
  const isSetElsewhere = root
    .descendantsOfType(['for_statement', 'while_statement', 'declaration_command'])
    .some((node) =>
      new RegExp(String.raw`^(?:for|while|export|declare|local|readonly)\b[^;]*\b${name}\b`).test(node?.text ?? ''),
    );
  if (isNested || isSetElsewhere) return undefined;
  const references = findReferences(root, [name]);
  const next = sameName.find(({ startIndex }) => startIndex > assignment.startIndex);
  const after = /^[ \t]*(?:;|&&)(?![ \t]*\})[ \t]*/.exec(command.slice(assignment.endIndex));
  if (!references || !after) return undefined;
  const part = { start: assignment.endIndex + after[0].length, end: next?.endIndex ?? command.length };
  const written = putValues(command, part, references, { [name]: text });
  if (written === undefined) return undefined;
  return { kind: 'done', command: command.slice(0, assignment.startIndex) + written + command.slice(part.end) };
}

/** It runs in the shell itself, and always: at the top, in a group that is always entered, or before `&&`. */
function isStatement(node: Node): boolean {
  let inner = node;
  for (let outer = node.parent; outer; outer = outer.parent) {
    const isFirst = outer.firstChild?.id === inner.id;
    const isReached =
      outer.type === 'program' || outer.type === 'compound_statement' || (outer.type === 'list' && isFirst);
    const isAfterMove = outer.type === 'list' && outer.firstChild?.firstChild?.text === 'cd';
    if (!isReached && !isAfterMove) return false;
    inner = outer;
  }
  return true;
}

/** Printed behind the output of a command that succeeds. A number, so it counts as no content of a file. */
const SUCCESS = ' 738105';

/** `$(…)` and backticks, with their output. */
export function rewriteSubstitution(command: string, node: Node): Rewriting | undefined {
  const isBacktick = node.text.startsWith('`');
  const inner = isBacktick ? node.text.slice(1, -1) : node.text.slice(2, -1);
  // `$?` is that of the command before, and an assignment has that of the inner command.
  if ((isBacktick && inner.includes('\\')) || inner.includes('$?')) return undefined;
  const range = { start: node.startIndex, end: node.endIndex };
  const isQuoted = node.parent?.type === 'string';
  const isWhole = node.parent?.type === 'command';
  const keepsBlanks = node.parent?.type === 'variable_assignment';
  const rest = command.slice(node.endIndex);
  if (keepsBlanks && rest.includes('$?')) return undefined;
  const isName = node.parent?.type === 'command_name';
  const mustSucceed = keepsBlanks && /^[ \t]*&&/.test(rest);
  const file = /^[ \t]*<[ \t]*([^\s<>|&;]+)[ \t]*$/.exec(inner)?.[1];
  const of = file === undefined ? inner.trim() : `cat ${file}`;
  return {
    kind: 'needs output',
    of: mustSucceed ? `{ ${withoutEnd(of)}; } && echo '${SUCCESS}'` : of,
    use: (written) => {
      if (mustSucceed && !written.endsWith(`${SUCCESS}\n`)) return undefined;
      const output = mustSucceed ? written.slice(0, -SUCCESS.length - 1) : written;
      const text = output.replace(/\n+$/, '');
      if (text.includes('\0')) return undefined;
      if (isQuoted) return replaceRange(command, range, /^[\w./:,-]*$/.test(text) ? text : quotedAgain(text));
      if (keepsBlanks) return replaceRange(command, range, text === '' ? "''" : quoteWord(text));
      const words = text.split(/[ \t\n]+/).filter((word) => word !== '');
      if (words.some((word) => /[*?[\\]/.test(word)) || (words.length > 1 && !isWhole)) return undefined;
      if (words.some((word) => readsDifferently(rest, isWhole ? '' : word, isName))) return undefined;
      return replaceRange(command, range, words.map(quoteWord).join(' '));
    },
  };
}

/** `$((1 + 2))` of plain numbers. */
export function rewriteArithmetic(command: string, node: Node): Rewriting | undefined {
  const [first, sign, second, ...more] = node.text.slice(3, -2).match(/\d+|[^\s\d]+/g) ?? [];
  const isNumber = (text: string | undefined): boolean => /^(?:0|[1-9]\d{0,8})$/.test(text ?? '');
  if (/^[<>]/.test(command.slice(node.endIndex))) return undefined;
  if (!node.text.startsWith('$((') || !isNumber(first) || !isNumber(second) || more.length > 0) return undefined;
  const value = calculate(Number(first), sign, Number(second));
  const range = { start: node.startIndex, end: node.endIndex };
  return value === undefined ? undefined : { kind: 'done', command: replaceRange(command, range, String(value)) };
}

function calculate(a: number, sign: string | undefined, b: number): number | undefined {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? undefined : Math.trunc(a / b);
    case '%':
      return b === 0 ? undefined : a % b;
    default:
      return undefined;
  }
}

/** `src/{a,b}.ts` without quotes, as the words that it stands for. */
export function rewriteBraces(command: string, node: Node): Rewriting | undefined {
  const [, before = '', list, after = ''] =
    /^([\w./*-]*)\{([\w./*-]*(?:,[\w./*-]*)+)\}([\w./*{},-]*)$/.exec(node.text) ?? [];
  if (list === undefined || node.parent?.type !== 'command') return undefined;
  const words = list.split(',').map((each) => before + each + after);
  const range = { start: node.startIndex, end: node.endIndex };
  return words.includes('') ? undefined : { kind: 'done', command: replaceRange(command, range, words.join(' ')) };
}
