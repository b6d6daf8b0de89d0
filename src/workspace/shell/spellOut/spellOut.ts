import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '../parse/grammars';
import { rewriteFindExec, rewriteXargs, scriptOfShell, withArguments } from './innerCalls';
import { rewriteFor, rewritePipedRead, rewriteReadOf } from './loops';
import { MAX_SPELLED_OUT, replaceRange, type Rewriting } from './rewriting';
import {
  bindToMove,
  findFirstMove,
  rewriteArithmetic,
  rewriteAssignment,
  rewriteBraces,
  rewriteSubstitution,
  withoutGroup,
} from './texts';

/** How many characters are parsed for one command, all steps together. */
const MAX_PARSED = 100_000;
const COST_OF_STEP = 1000;
/** More take long to judge. */
const MAX_BLANKS = 5000;
/** Nobody reads longer ones, so they ask. */
export const MAX_WRITTEN = 4000;

/** The output of a command that only reads; `undefined`: it does more, is not allowed, or there is too much. */
export type Evaluate = (command: string) => Promise<string | undefined>;

/**
 * A command of bash in other words, which are easier to judge: loops are written out, and `xargs`, `find -exec` and `$(…)`
 * are replaced by what they stand for now. `undefined`: nothing could be replaced. The result is judged and runs in the
 * place of the command, so a mistake here cannot allow anything.
 */
export async function spellOut(command: string, grammar: Grammar, evaluate: Evaluate): Promise<string | undefined> {
  if (command.length > MAX_WRITTEN) return undefined;
  const means = { grammar, evaluate, opensShells: /\bxargs\b|-exec\b/.test(command) };
  let current = command;
  let parsed = 0;
  while (current.length <= MAX_SPELLED_OUT && parsed <= MAX_PARSED) {
    parsed += current.length + COST_OF_STEP;
    const next = await takeStep(current, means);
    if (next === undefined) return current === command ? undefined : current;
    if (next === current || next.split(' ').length > MAX_BLANKS) return undefined;
    current = next;
  }
  return undefined;
}

interface Means {
  readonly grammar: Grammar;
  readonly evaluate: Evaluate;
  /** Takes scripts out of `sh -c`. Only where another program starts it: nobody else needs such a shell. */
  readonly opensShells: boolean;
}

async function takeStep(command: string, means: Means): Promise<string | undefined> {
  const { grammar, evaluate } = means;
  const text = command.replace(/[ \t\n]+$/, '');
  if (text.includes('\n')) return undefined;
  const { rewriting, move } = grammar.parse(text, (root) => {
    const moving = findFirstMove(root);
    return {
      rewriting: root.hasError ? undefined : findRewriting(text, root, means),
      move: moving ? `${text.slice(0, moving.endIndex)} && ` : '',
    };
  });
  if (rewriting?.kind !== 'needs output') return rewriting?.command;
  const output = await evaluate(move + rewriting.of);
  // What follows is not replaced either, so the command asks.
  return output === undefined ? undefined : rewriting.use(output);
}

function findRewriting(command: string, root: Node, means: Means): Rewriting | undefined {
  return (
    withoutGroup(root) ??
    bindToMove(command, root) ??
    rewriteAssignment(command, root) ??
    rewriteBelow(command, root, means)
  );
}

/** The first construct in the order of the text, outer ones first. */
function rewriteBelow(command: string, node: Node, means: Means): Rewriting | undefined {
  const found = rewriteNode(command, node, means);
  if (found) return found;
  for (const child of node.children) {
    const below = child ? rewriteBelow(command, child, means) : undefined;
    if (below) return below;
  }
  return undefined;
}

function rewriteNode(command: string, node: Node, means: Means): Rewriting | undefined {
  switch (node.type) {
    case 'pipeline':
      return rewriteXargs(command, node) ?? rewritePipedRead(command, node);
    case 'redirected_statement':
      return rewriteReadOf(command, node);
    case 'for_statement':
      return rewriteFor(command, node);
    case 'command':
      return rewriteFindExec(command, node) ?? rewriteShell(command, node, means);
    case 'command_substitution':
      return rewriteSubstitution(command, node);
    case 'arithmetic_expansion':
      return rewriteArithmetic(command, node);
    case 'concatenation':
    case 'word':
      return rewriteBraces(command, node);
    default:
      return undefined;
  }
}

/** `sh -c script`, with the script in its place. */
function rewriteShell(command: string, node: Node, { grammar, opensShells }: Means): Rewriting | undefined {
  const found = opensShells ? scriptOfShell(node) : undefined;
  const script =
    found && grammar.parse(found.script, (root) => (root.hasError ? undefined : withArguments(root, found.args)));
  if (script === undefined || script.includes('\n')) return undefined;
  const isAll = node.parent?.type === 'program' && node.parent.childCount === 1;
  const range = { start: node.startIndex, end: node.endIndex };
  return { kind: 'done', command: replaceRange(command, range, isAll ? script : `{ ${script}; }`) };
}
