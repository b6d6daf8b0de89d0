import * as l10n from '../../util/l10n';
import * as z from 'zod';
import { describeIssues } from '../../util/zodIssues';
import { parseMcpServers } from '../../mcp/serverConfig';
import { isSecretVariable } from '../../workspace/node/commands/secretVariables';
import { refused, type ImportItem, type ImportPlace, type ServerKey } from './importItem';
import { withoutAbsent } from './modelItem';

/** Other programs write `null` where nothing is set. */
const said = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const texts = said(z.record(z.string().max(200), z.union([z.string().max(8_000), z.number(), z.boolean(), z.null()])));
const word = said(z.string().max(4_000));
/** The union of what Continue, Cline, Roo Code and VS Code write. Other fields are theirs alone. */
const ServerSchema = z.object({
  ...{ type: word, transportType: word, command: word, envFile: word, cwd: word, url: word },
  args: said(z.array(z.union([z.string().max(8_000), z.number().transform(String)])).max(200)),
  ...{ env: texts, headers: texts },
  requestOptions: said(z.object({ headers: texts })),
  disabled: said(z.boolean()),
  disabledTools: said(z.array(z.string().max(200)).max(100)),
});
type Server = z.infer<typeof ServerSchema>;

/** An MCP server of another program. `urlMeans`: the transport of an address without a type. */
export function mcpItem(
  name: string,
  written: unknown,
  place: ImportPlace,
  urlMeans: 'http' | 'sse' = 'http',
): ImportItem {
  const no = (why: string): ImportItem => refused(place, 'mcpServer', name, why);
  const parsed = ServerSchema.safeParse(written);
  if (!parsed.success) return no(`${describeIssues(parsed.error)}.`);
  const server = parsed.data;
  const { env, headers, keys, notes } = splitKeys(server, name);
  const words = [server.command, ...(server.args ?? []), server.url, server.cwd].filter((one) => one !== undefined);
  const known = (text: string): string => text.replaceAll('${userHome}', place.home);
  const variable = words.map((text) => /\$\{[^}]*\}?/.exec(known(text))?.[0]).find((found) => found !== undefined);
  if (variable !== undefined) return no(l10n.t('it uses {0}, which has no meaning in your own settings.', variable));
  if (server.envFile !== undefined)
    return no(l10n.t('it takes its variables from {0}. Open Agent reads no such file.', server.envFile));
  if (holdsKey(words))
    return no(
      l10n.t('a key is part of its command line or address. Copy it by hand, if you want it in your settings.'),
    );
  const taken = withoutAbsent(
    server.url !== undefined
      ? { type: transportOf(server, urlMeans), url: server.url, headers }
      : {
          command: server.command && known(server.command),
          args: server.args?.map(known),
          env,
          cwd: server.cwd === undefined ? undefined : known(server.cwd),
        },
  );
  const own = withoutAbsent({ ...taken, disabled: server.disabled === true ? true : undefined });
  const legal = legalName(name);
  const { problems } = parseMcpServers({ [legal]: { ...own, disabled: false } });
  if (problems.length > 0) return no(problems.join(' ').replace(/^.* is not used: /, ''));
  return {
    ...{ place, what: 'mcpServer', name },
    becomes: { kind: 'mcpServer', name: legal, server: own, keys },
    notes: [
      ...(legal === name ? [] : [l10n.t('Its name becomes {0}.', legal)]),
      ...notes,
      ...(own.disabled ? [l10n.t('It stays switched off.')] : []),
      ...(server.disabledTools?.length
        ? [
            l10n.t(
              'Its tools {0} are switched off there, and ask here as all others.',
              server.disabledTools.slice(0, 10).join(', '),
            ),
          ]
        : []),
    ],
  };
}

function transportOf({ type, transportType }: Server, urlMeans: 'http' | 'sse'): 'sse' | undefined {
  const said = (type ?? transportType ?? urlMeans).toLowerCase();
  return said === 'sse' ? 'sse' : undefined;
}

/** Variables and headers, with those that hold a key apart. */
function splitKeys(server: Server, name: string) {
  const keys: ServerKey[] = [];
  const notes: string[] = [];
  const split = (field: 'env' | 'headers', given: Server['env']): Record<string, string> | undefined => {
    const plain: [string, string][] = [];
    for (const [key, value] of Object.entries(given ?? {})) {
      if (value === null) continue;
      const said = String(value);
      if (said.includes('${'))
        notes.push(l10n.t('Without {0}, which is {1} there: add it by hand.', key, said.slice(0, 80)));
      else if (isKey(field, key, said))
        keys.push({ field, name: key, value: said, label: l10n.t('{0} of the MCP server {1}', key, name) });
      else plain.push([key, said]);
    }
    return plain.length === 0 ? undefined : Object.fromEntries(plain);
  };
  const env = split('env', server.env);
  const headers = split('headers', { ...server.requestOptions?.headers, ...server.headers });
  return { env, headers, keys, notes };
}

function isKey(field: 'env' | 'headers', name: string, value: string): boolean {
  return isSecretVariable(name, value) || (field === 'headers' && /auth|cookie|key|token|secret/i.test(name));
}

/** Whether a word is a key, or the word before it names one: `--api-key abc`. */
function holdsKey(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      isSecretVariable('WORD', word) ||
      (/^--?[\w-]*(?:key|token|secret|passw|\bpat$)[\w-]*$/i.test(words[index - 1] ?? '') && !word.startsWith('-')),
  );
}

/** Names are part of the names of tools. */
function legalName(name: string): string {
  const legal = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/_{2,}/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 30)
    .replace(/[_-]+$/, '');
  return legal === '' ? 'server' : legal;
}
