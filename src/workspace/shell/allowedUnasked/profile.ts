/** What is known about a call that only reads. */
export interface ReadOnlyCall {
  /** Files and folders it looks at, as written, relative to the command's folder; to be checked like those of a tool. */
  readonly reads: readonly string[];
  /** It is git, whose configuration can name programs to run; see `gitSafety`. */
  readonly git?: { readonly showsContent: boolean } | undefined;
}

/** Judges the arguments after a program's name: what the call reads, or in words for people why it may do more. */
export type Profile = (args: readonly string[]) => ReadOnlyCall | string;

export type ProfileTable = Readonly<Record<string, Profile>>;

export function unknownArgument(argument: string): string {
  return `${JSON.stringify(argument)} is not known to be reading only`;
}
