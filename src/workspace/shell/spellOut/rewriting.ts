/** One step of spelling a command out. Offsets count in the command that the step was found in. */
export type Rewriting =
  /** The command without one of its constructs. */
  | { readonly kind: 'done'; readonly command: string }
  /**
   * A construct that depends on the output of a command. `use` gets the output, and gives the new command; `undefined`: the
   * output cannot be put in.
   */
  | {
      readonly kind: 'needs output';
      readonly of: string;
      readonly use: (output: string) => string | undefined;
    };

/** A part of a command. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export function replaceRange(command: string, { start, end }: Range, text: string): string {
  return command.slice(0, start) + text + command.slice(end);
}

/** Longer commands are not spelled out further: the shell would not get them as one argument. */
export const MAX_SPELLED_OUT = 100_000;
export const MAX_CALLS = 400;

/** Runs commands one after the other, in the place of one. None: nothing happens. `undefined`: they are too many. */
export function inSequence(commands: readonly string[]): string | undefined {
  const length = commands.reduce((sum, command) => sum + command.length, 0);
  if (commands.length > MAX_CALLS || length > MAX_SPELLED_OUT) return undefined;
  if (commands.length === 0) return 'true';
  return commands.length === 1 ? commands[0] : `{ ${commands.join('; ')}; }`;
}

/** Commands without the `;` at their end. */
export function withoutEnd(text: string): string {
  return text.trim().replace(/[ \t]*;$/, '');
}
