import { withDistinctNames } from '../../../src/workspace/paths/roots';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodeFileSystem } from '../../../src/workspace/node/files/nodeFileSystem';
import type { CommandPlan } from '../../../src/workspace/plans';
import type { CommandWorld } from '../../../src/workspace/shell/commandAssessment';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';

/** The real machine around a folder, for decisions about its commands. Files named `.env…` are protected. */
export function commandWorld(folder: string, environment: NodeJS.ProcessEnv = process.env): CommandWorld {
  return {
    ...createNodeCommandWorld(environment),
    shell: 'bash',
    grammars: bundledGrammars(),
    roots: withDistinctNames([{ name: 'w', path: folder }]),
    fileSystem: createNodeFileSystem(),
    isProtected: ({ pathInRoot }) => /(?:^|\/)\.env[^/]*$/.test(pathInRoot ?? '.env'),
  };
}

export function commandPlan(command: string, folder: string): CommandPlan {
  const cwd = { path: folder, realPath: folder, displayPath: '.', pathInRoot: '', exists: true };
  return { kind: 'command', command, cwd, timeoutMs: 60_000 };
}
