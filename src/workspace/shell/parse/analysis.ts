/** The result of analysing a command line. Plain data. */

/** The shells whose commands can be analysed; see `CommandRunner.shellName`. */
export type ShellName = 'bash' | 'sh' | 'powershell' | 'cmd';

/** How a part is joined to the part before it; `''` for the first. */
export type Separator = '' | '&&' | '||' | ';' | '|';

/** One program call of a plain command line. */
export interface CommandPart {
  /** The exact words that the program gets, its name first. */
  readonly argv: readonly string[];
  readonly separator: Separator;
  /** Files that the shell opens as its standard input (`< file`). */
  readonly inputs?: readonly string[] | undefined;
  /** Variables that are set for this call only, such as `LC_ALL=C`. Only those that make no program do more. */
  readonly assignments?: readonly string[] | undefined;
  /** The name is written as one unquoted word, so a person reads the name that runs. */
  readonly isNamePlain: boolean;
  /** The command has `if`, `!` or a group. */
  readonly isGrouped?: true | undefined;
  /** Inside `if` or a group, and not the first call there. So it runs only if the shell enters that. */
  readonly isInner?: true | undefined;
}

/**
 * `plain`: only programs with literal words, so the argv of each part is known before it runs. With `folder`, the command
 * begins with `cd folder &&`, and the parts are the ones behind it.
 * `opaque`: anything else; `reason` is for people. `seen` has the calls that were found anyway, with words that are not
 * literal as written. Rules may forbid these calls, but not allow them. `patterned`: the command would be plain without its
 * file patterns.
 */
export type CommandAnalysis = PlainAnalysis | OpaqueAnalysis;

export interface PlainAnalysis {
  readonly kind: 'plain';
  readonly parts: readonly CommandPart[];
  readonly folder?: string | undefined;
}

export interface OpaqueAnalysis {
  readonly kind: 'opaque';
  readonly reason: string;
  readonly seen: readonly (readonly string[])[];
  readonly patterned?: PatternedCommand | undefined;
}

/** A command line of literal words and file patterns such as `src/*.ts`. `expandPatterns` replaces the patterns. */
export interface PatternedCommand {
  /** As analysed: the offsets of the words count in it. */
  readonly command: string;
  /** Every word, in their order. */
  readonly words: readonly Token[];
  /** The folder of a leading `cd`. */
  readonly folder?: string | undefined;
}

/**
 * A piece of a command line, as found by one of the two readers. Offsets are in UTF-16 units. The `text` of a word has its
 * quotes and escapes resolved; any other text is as written.
 */
export interface Token {
  /** The text of an `input` is the name of the file. A `keyword` is one of `if`, groups and `!`. */
  readonly kind: 'word' | 'operator' | 'redirect' | 'input' | 'keyword';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Words only: the offsets in `text` of each `*`, `?` and `[` that begins a file pattern, because it is not quoted. */
  readonly wildcards?: readonly number[] | undefined;
  /** Words only: the shell replaces `$?` or `$PWD` in it, by a number or the folder. */
  readonly hasShown?: true | undefined;
}

export type Reading =
  { readonly ok: true; readonly tokens: readonly Token[] } | { readonly ok: false; readonly reason: string };
