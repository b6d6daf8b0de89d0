import type { LeakCall, LeakCase, Question } from '../leakCase';
import type { Allowed } from '../runCase';
import type { LeakWorld } from '../world';

/** An attack that once worked, or that must never work. */
export interface Seed {
  readonly name: string;
  readonly given: (world: Pick<LeakWorld, 'top' | 'workspace' | 'home'>) => LeakCase;
  /** What this attack may do. */
  readonly allowed?: Allowed | undefined;
  /** A program that must run, to show that the case is no empty one. */
  readonly mustRun?: string | undefined;
  /** A question that must be asked, for the same reason. */
  readonly mustBeAsked?: ((question: Question) => boolean) | undefined;
  /** Nothing may be asked: the calls really run. */
  readonly asksNothing?: boolean | undefined;
  /** Secret texts besides the marks. */
  readonly secrets?: (() => readonly string[]) | undefined;
  /** Everything must be the same in a world with other secrets. */
  readonly isSameInBothWorlds?: boolean | undefined;
  /** A seed with ripgrep needs VS Code's. */
  readonly needsRipgrep?: boolean | undefined;
}

export const read = (path: string, more: object = {}): LeakCall => ({
  name: 'read_file',
  arguments: { path, ...more },
});
export const list = (path: string): LeakCall => ({ name: 'list_directory', arguments: { path } });
export const search = (pattern: string, more: object = {}): LeakCall => ({
  name: 'search_text',
  arguments: { pattern, ...more },
});
export const edit = (path: string, oldText: string, newText = 'changed'): LeakCall => ({
  name: 'apply_edit',
  arguments: { path, edits: [{ old_text: oldText, new_text: newText }] },
});
export const write = (path: string, content: string): LeakCall => ({
  name: 'write_file',
  arguments: { path, content },
});
export const run = (command: string, more: object = {}): LeakCall => ({
  name: 'run_terminal_command',
  arguments: { command, ...more },
});
