/** What the analysis of a command line says. Plain data. */

/** The shells whose commands can be analysed; see `CommandRunner.shellName`. */
export type ShellName = 'bash' | 'sh' | 'powershell' | 'cmd';

/** How a part is joined to the one before it; `''` for the first. */
export type Separator = '' | '&&' | '||' | ';' | '|';

/** One program call of a plain command line. */
export interface CommandPart {
  /** Exactly the words the program gets, its name first. */
  readonly argv: readonly string[];
  readonly separator: Separator;
  /** The name is written as one unquoted word, so that what a person reads is what runs. */
  readonly isNamePlain: boolean;
}

/**
 * `plain`: nothing but programs with literal words, so that the argv of each part is known before it runs.
 * `opaque`: anything else, with the reason for people. `seen` are the calls that could be made out all the same, with
 * words that are not literal as they are written: good enough for a rule that forbids, never for one that allows.
 */
export type CommandAnalysis =
  | { readonly kind: 'plain'; readonly parts: readonly CommandPart[] }
  | { readonly kind: 'opaque'; readonly reason: string; readonly seen: readonly (readonly string[])[] };

/**
 * A piece of a command line as one of two independent readers found it: offsets in UTF-16 units, `text` with quotes
 * and escapes resolved for a word and as written otherwise. Only what both readers see alike counts as plain.
 */
export interface Token {
  readonly kind: 'word' | 'operator' | 'redirect';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type Reading =
  { readonly ok: true; readonly tokens: readonly Token[] } | { readonly ok: false; readonly reason: string };
