import * as l10n from '../../../util/l10n';
import type { Node } from '@vscode/tree-sitter-wasm';
import { uncheckable } from '../commandReasons';
import type { Reading, Token } from './analysis';

/** The tokens of a plain command line by PowerShell's grammar, or the reason why it is not plain. */
export function readPowershellTree(root: Node): Reading {
  const tokens: Token[] = [];
  const reason = readStatement(root, tokens);
  return reason === undefined ? { ok: true, tokens } : { ok: false, reason };
}

/** Every call in the tree. Words are as written. */
export function findPowershellCalls(root: Node): readonly (readonly string[])[] {
  return root
    .descendantsOfType('command')
    .filter((node) => node !== null)
    .map((command) => {
      const tokens: Token[] = [];
      for (const child of command.children) if (child !== null) collectWords(child, tokens);
      return tokens.map(({ text }) => text);
    });
}

function readStatement(node: Node, tokens: Token[]): string | undefined {
  if (node.isError || node.isMissing) return uncheckable.unparsed;
  switch (node.type) {
    case 'program':
    case 'statement_list':
    case 'pipeline':
    case 'pipeline_chain':
    case 'pipeline_chain_tail':
    case 'empty_statement':
    case 'command':
      for (const child of node.children) {
        const reason = child === null ? uncheckable.unparsed : readStatement(child, tokens);
        if (reason !== undefined) return reason;
      }
      return undefined;
    case 'command_name':
      tokens.push(wordAt(node));
      return undefined;
    case 'command_elements':
      return node.hasError || !node.children.every((child) => isLiteral(child))
        ? l10n.t('it contains an expression')
        : collectWords(node, tokens);
    case '&&':
    case '||':
    case ';':
    case '|':
      tokens.push({ kind: 'operator', text: node.type, start: node.startIndex, end: node.endIndex });
      return undefined;
    default:
      return l10n.t('it contains a {0}', node.type.replaceAll('_', ' '));
  }
}

function isLiteral(node: Node | null): boolean {
  if (node === null || node.isMissing) return false;
  if (node.type === 'command_argument_sep') return /^[ \t]+$/.test(node.text);
  return LITERAL.has(node.type) && node.descendantsOfType(REPLACED).length === 0;
}

/** To the grammar, quoted words and numbers are expressions with one literal. */
const LITERAL = new Set(['generic_token', 'command_parameter', 'array_literal_expression']);
const REPLACED = ['variable', 'sub_expression', 'parenthesized_expression', 'script_block_expression', 'type_literal'];

function collectWords(node: Node, tokens: Token[]): undefined {
  if (node.type === 'command_elements') for (const child of node.children) if (child) collectWords(child, tokens);
  if (LITERAL.has(node.type) || node.type === 'command_name' || node.type === 'command_name_expr') {
    tokens.push(wordAt(node));
  }
}

function wordAt(node: Node): Token {
  const { text, startIndex: start, endIndex: end } = node;
  return { kind: 'word', text: /^(['"]).*\1$/.test(text) ? text.slice(1, -1) : text, start, end };
}
