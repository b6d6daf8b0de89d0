import { messageOf } from '../../util/errors';

/** The default port. */
export const DEFAULT_PORT = 8_642;
export const MAX_PORT = 65_535;

/** Explains to a person why a port cannot be used. */
export function portProblem(port: number, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is taken: another program or window listens there.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user: choose one above 1023.`;
  return `Port ${port} cannot be served: ${messageOf(error)}.`;
}
