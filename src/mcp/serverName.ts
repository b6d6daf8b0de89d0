const NAME = /^[A-Za-z0-9](?:_?[A-Za-z0-9-])*$/;

/**
 * Whether a server may have this name. Must be legal in tool names, which contain it. Two underscores end it there, so a rule for
 * one server's tools matches no other server.
 */
export function isServerName(name: string): boolean {
  return name.length <= 30 && NAME.test(name);
}
