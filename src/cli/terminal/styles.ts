export interface Styles {
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly bold: (text: string) => string;
}

export interface StylesParts {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colours for a terminal. Plain text elsewhere, with NO_COLOR (see no-color.org) and on terminals without colours. */
export function createStyles({ isTerminal, env }: StylesParts): Styles {
  if (!isTerminal || env['NO_COLOR'] || env['TERM'] === 'dumb') return plainStyles;
  return { dim: sgr(2, 22), red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39), bold: sgr(1, 22) };
}

const asItIs = (text: string): string => text;

export const plainStyles: Styles = { dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs, bold: asItIs };

/** Styles each line by itself, so that no style crosses a line break. */
function sgr(on: number, off: number) {
  return (text: string): string => text.replace(/[^\n]+/g, (line) => `\u001b[${on}m${line}\u001b[${off}m`);
}
