/**
 * The value of a limit that a workspace may set too. It may lower the person's own number, but neither raise nor remove it.
 * Other values are for `parseAgentSettings` to judge.
 */
export function ownLimit({ own, effective }: { readonly own: unknown; readonly effective: unknown }): unknown {
  if (typeof own !== 'number') return effective;
  return typeof effective === 'number' ? Math.min(own, effective) : own;
}
