import * as l10n from '../util/l10n';
import { createHash } from 'node:crypto';
import type { McpServerConfig } from './serverConfig';

/** Hashes the whole configuration, with the values of variables and headers. */
export function hashOf(config: McpServerConfig): string {
  return createHash('sha256').update(canonical(config)).digest('hex');
}

/**
 * Describes the configuration, one thing a line. Shows only the names of variables and headers: their values are often
 * secrets.
 */
export function describeServer(config: McpServerConfig): string {
  if (config.kind === 'stdio') {
    const { command, args, env, cwd } = config;
    return [
      [command, ...args].map((word) => JSON.stringify(word)).join(' '),
      ...(cwd === undefined ? [] : [l10n.t('in {0}', JSON.stringify(cwd))]),
      ...Object.entries(env).map(([name, value]) =>
        l10n.t('variable {0} {1}', JSON.stringify(name), fingerprint(name, value)),
      ),
      ...rootsLine(config),
    ].join('\n');
  }
  const { url, headers } = config;
  return [
    url,
    ...Object.entries(headers).map(([name, value]) =>
      l10n.t('header {0} {1}', JSON.stringify(name), fingerprint(name, value)),
    ),
    ...rootsLine(config),
  ].join('\n');
}

function rootsLine({ roots }: McpServerConfig): readonly string[] {
  return roots ? [l10n.t('gets the folders of the workspace')] : [];
}

/** Shows that a value has changed, without revealing it: one of 4096. */
function fingerprint(name: string, value: string): string {
  return `(#${createHash('sha256').update(`${name}\n${value}`).digest('hex').slice(0, 3)})`;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
