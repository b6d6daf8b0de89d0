import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { describeIssues } from '../util/zodIssues';
import { isServerName } from './serverName';

const texts = z.record(z.string().min(1), z.string());

const ProcessSchema = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().trim().min(1),
  args: z.array(z.string()).readonly().optional(),
  env: texts.optional(),
  /** Absolute. Absent: the person's home. */
  cwd: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  roots: z.boolean().optional(),
  disabled: z.boolean().optional(),
});

const UrlSchema = z.strictObject({
  /** `sse` is the transport before streamable HTTP. */
  type: z.enum(['http', 'sse']).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.optional(),
  roots: z.boolean().optional(),
  disabled: z.boolean().optional(),
});

interface AnyServer {
  readonly name: string;
  /**
   * The server gets the folders of the workspace. Only where the person says so, because a server may put them in place of
   * the folders of its own command line (server-filesystem does).
   */
  readonly roots?: true | undefined;
}

/** A server that we start as a process and speak to over standard input and output. */
export interface ProcessServer extends AnyServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every process needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/** A server that runs elsewhere. */
export interface UrlServer extends AnyServer {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServerConfig = ProcessServer | UrlServer;

export interface ParsedServers {
  /** Without disabled servers. */
  readonly servers: readonly McpServerConfig[];
  /** Names each unusable server and field, with the reason. */
  readonly problems: readonly string[];
}

/**
 * Parses the servers of a settings file: an object from names to `{ command, args?, env?, cwd? }` or `{ url, type?, headers?
 * }`, each with `roots?` and `disabled?`. Reports wrong ones and keeps the others.
 */
export function parseMcpServers(value: unknown): ParsedServers {
  if (value === undefined || value === null) return { servers: [], problems: [] };
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { servers: [], problems: ['MCP servers must be an object from names to servers.'] };
  }
  const servers: McpServerConfig[] = [];
  const problems: string[] = [];
  for (const [name, written] of Object.entries(value)) {
    const parsed = parseServer(name, written);
    if (typeof parsed === 'string') problems.push(parsed);
    else if (parsed) servers.push(parsed);
  }
  return { servers, problems };
}

function parseServer(name: string, written: unknown): McpServerConfig | string | undefined {
  const refuse = (why: string): string => `MCP server ${JSON.stringify(name)} is not used: ${why}`;
  if (!isServerName(name)) {
    return refuse(
      'its name must be 1 to 30 letters, digits, "-" and single "_", start with a letter or digit and not end with "_".',
    );
  }
  const isUrl = typeof written === 'object' && written !== null && 'url' in written;
  if (isUrl) {
    const parsed = UrlSchema.safeParse(written);
    if (!parsed.success) return refuse(describeIssues(parsed.error));
    const { type = 'http', url, headers = {}, roots, disabled } = parsed.data;
    return disabled ? undefined : { kind: type, name, url, headers, ...(roots && { roots }) };
  }
  const parsed = ProcessSchema.safeParse(written);
  if (!parsed.success) return refuse(describeIssues(parsed.error));
  const { command, args = [], env = {}, cwd, roots, disabled } = parsed.data;
  if (disabled) return undefined;
  return { kind: 'stdio', name, command, args, env, ...(cwd !== undefined && { cwd }), ...(roots && { roots }) };
}
