import type { Node } from '@vscode/tree-sitter-wasm';
import { quoteWord } from '../commandRules';
import type { Range } from './rewriting';

interface Reference extends Range {
  readonly name: string;
  /** Between double quotes, where the shell does not split the value. */
  readonly isQuoted: boolean;
  readonly isName: boolean;
}

/** The references to some variables below a node: `$f` and `${f}`, nothing else. `undefined`: there are others. */
export function findReferences(node: Node, names: readonly string[]): readonly Reference[] | undefined {
  const found: Reference[] = [];
  for (const expansion of node.descendantsOfType(['simple_expansion', 'expansion'])) {
    // The grammar counts the blanks before it.
    const text = expansion?.text.trimStart() ?? '';
    const name = names.find((one) => new RegExp(String.raw`^\$\{?[#!]*${escaped(one)}(?!\w)`).test(text));
    if (!expansion || name === undefined) continue;
    if (text !== `$${name}` && text !== `\${${name}}`) return undefined;
    found.push({
      name,
      start: expansion.endIndex - text.length,
      end: expansion.endIndex,
      isQuoted: expansion.parent?.type === 'string',
      isName: expansion.parent?.type === 'command_name',
    });
  }
  return found;
}

function escaped(name: string): string {
  return name.replaceAll(/\W/g, String.raw`\$&`);
}

/** They change what shells and programs do, also without a reference to them. */
const OF_PROGRAMS =
  /^(?:BASH\w*|CDPATH|COLUMNS|DYLD_\w*|EDITOR|ENV|GIT_\w*|GLOBIGNORE|GREP_\w*|GZIP|HOME|IFS|LANG\w*|LC_\w*|LD_\w*|LESS\w*|NODE_\w*|PAGER|PATH|PERL\w*|POSIXLY_CORRECT|PROMPT_\w*|PS\d|PWD|OLDPWD|PYTHON\w*|RIPGREP_\w*|SHELL\w*|TAR_\w*|TERM|TMPDIR|TZ|VISUAL|\w*_OPTIONS|\w*OPTS)$/;

/** Whether a command may set this variable for itself only. */
export function isOwnVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !OF_PROGRAMS.test(name);
}

/** The same word with and without quotes. */
const PLAIN_VALUE = /^[A-Za-z0-9_./:=@%+,-]+$/;

/**
 * A part of a command with the values of variables in it. `undefined`: the shell would split a value, or take it for a pattern.
 */
export function putValues(
  command: string,
  part: Range,
  references: readonly Reference[],
  values: Readonly<Record<string, string>>,
): string | undefined {
  let written = '';
  let at = part.start;
  for (const { name, start, end, isQuoted, isName } of references.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end > part.end) continue;
    const value = values[name] ?? '';
    if (!isQuoted && readsDifferently(command.slice(end), value, isName)) return undefined;
    const isPlain = PLAIN_VALUE.test(value);
    if (!isPlain && !isQuoted && (value === '' || /[\s*?[\\]/.test(value))) return undefined;
    written += command.slice(at, start) + (isPlain ? value : isQuoted ? quotedAgain(value) : quoteWord(value));
    at = end;
  }
  return written + command.slice(at, part.end);
}

/**
 * Whether the shell takes a value for something else where it is written than where it is put in: for a list in braces, for a
 * variable in front of a call, or for the number of a redirect. `rest`: what follows it.
 */
export function readsDifferently(rest: string, value: string, isName: boolean): boolean {
  return value.includes(',') || (isName && value.includes('=')) || /^[<>]/.test(rest);
}

/** A text between double quotes, which end for it. */
export function quotedAgain(text: string): string {
  return text === '' ? '' : `"${quoteWord(text)}"`;
}
