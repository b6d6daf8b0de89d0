/** Puts the shell grammars into a folder. */
export function copyGrammars(directory: string, options: { readonly isSmall: boolean }): void;
