import path from 'node:path';
import { AgentError } from '../../sdk/errors';
import type { Root } from '../../workspace/ports';
import { createLazy } from '../../util/lazy';
import { workspaceToolNames } from '../../workspace/tools/workspaceToolNames';
import { lazyTools } from './lazyTools';
import { createNodePorts } from './nodePorts';
import { permissionModes, type PermissionMode } from './permissionMode';
import { readRules } from './readRules';
import type { Workspace, WorkspaceOptions } from './workspaceOptions';

/**
 * The coding tools for some folders, given by absolute path. Nothing is opened yet. Throws `invalid_options` for options that
 * cannot be used. The tools decide nothing: use them with the `approvalHook`.
 *
 * ```ts
 * const workspace = openWorkspace('/home/ada/app', { ask: async ({ preview }) => (await yes(preview)) ? { action: 'allow' } : { action: 'deny' } });
 * await using client = new Client({ ...options, ...workspace, autoExecuteTools: true });
 * ```
 */
export function openWorkspace(folders: string | readonly string[], options: WorkspaceOptions = {}): Workspace {
  const { ports = createNodePorts(), mode = 'ask', rules = {}, shellGrammars, trustedTools = [] } = options;
  const all = rootsOf(typeof folders === 'string' ? [folders] : folders);
  const roots = (): readonly Root[] => all;
  const currentMode = (): PermissionMode => knownMode(typeof mode === 'function' ? mode() : mode);
  if (typeof mode !== 'function') knownMode(mode);
  const taken = trustedTools.find((name) => workspaceToolNames.includes(name) || name.startsWith('mcp__'));
  if (taken !== undefined) throw invalid(`trustedTools: "${taken}" is decided by the hook, call by call`);
  const read = readRules(rules, { canReadCommands: shellGrammars !== undefined });
  const work = createLazy(async () => {
    const { openWork } = await import('./workspaceWork');
    return openWork({ ports, roots, mode: currentMode, rules: read, shellGrammars, ask: options.ask });
  });
  return {
    tools: lazyTools(ports, async () => (await work.get()).tools),
    approvalHook: async (event) =>
      trustedTools.includes(event.toolName) ? undefined : (await work.get()).approvalHook(event),
  };
}

function rootsOf(folders: readonly string[]): readonly Root[] {
  const relative = folders.find((folder) => !path.isAbsolute(folder));
  if (relative !== undefined) throw invalid(`folders: "${relative}" is no absolute path`);
  if (folders.length === 0) throw invalid('folders: there is none');
  return folders.map((folder) => ({ name: path.basename(folder) || folder, path: path.resolve(folder) }));
}

function knownMode(mode: PermissionMode): PermissionMode {
  if (!permissionModes.includes(mode))
    throw invalid(`mode: "${String(mode)}" is none of ${permissionModes.join(', ')}`);
  return mode;
}

function invalid(message: string): AgentError {
  return new AgentError({ code: 'invalid_options', message: `Workspace options: ${message}.` });
}
