import assert from 'node:assert/strict';
import path from 'node:path';
import { findImports } from '../../../src/agent/importSettings/findImports';
import { importChanges, judgeItems } from '../../../src/agent/importSettings/importChanges';
import { importReport } from '../../../src/agent/importSettings/importText';
import { McpServers } from '../../../src/mcp/mcpServers';
import { parseMcpServers } from '../../../src/mcp/serverConfig';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { endTree } from '../../../src/workspace/node/processes/endTree';
import type { LeakWindow } from './leakCase';

/** Takes over all settings of other programs that the folders hold, and opens the session of a window that has them. */
export async function importAll(folders: readonly string[], { world, note }: LeakWindow): Promise<void> {
  const items = await findImports(
    {
      ...{ platform: 'linux', env: {}, home: world.home, userFolder: path.join(world.home, 'data/User') },
      workspaceFolders: folders.map((folder) => path.join(world.top, folder)),
    },
    [],
  );
  const nothing = { profiles: [], modelOptions: {}, mcpServers: {}, agents: [], systemPrompt: '' };
  const target = { ...nothing, projectRules: new Map<string, string>() };
  const judged = judgeItems(items, target);
  const chosen = judged.filter(({ state }) => state === 'new').map(({ item }) => item);
  const report = importReport(judged, new Set(chosen));
  for (const variant of ['one', 'other'] as const) assert.deepEqual(world.search(variant).find(report), []);
  // Only the person reads why a file cannot be read, which depends on where a link leads.
  const named = judged.filter(({ item }) => item.what !== 'file');
  note(importReport(named, new Set(chosen)));
  const { settings, projectRules } = importChanges(chosen, new Set(), target);
  note(JSON.stringify({ settings, projectRules }));
  // Nobody has allowed the servers.
  const servers = new McpServers({
    ...{ version: '0.0.0', homeDirectory: world.home, fetch: createFetch(), endTree, roots: () => [], now: () => 0 },
    pins: { get: async () => undefined, set: async () => {} },
    confirm: async ({ after }) => (note(after), 'not_now'),
    onLog: (_server, line) => note(line),
    isTrusted: () => true,
    onInternalError: (error) => note(String(error)),
  });
  await servers.configure(parseMcpServers(settings['mcpServers'] ?? {}).servers);
  note((await servers.offer()).problems.join('\n'));
  await servers.dispose();
}
