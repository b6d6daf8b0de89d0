import path from 'node:path';
import { createCommandAssessor } from '../../../src/agent/approval/commandAssessor';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';

/** Decisions must not depend on whether this machine has them, or from a version manager: both ask. */
const ASSUMED: ReadonlySet<string> = new Set('awk busybox file jq node python python3 rg tree'.split(' '));

/** Assesses commands in a folder as on a machine that has all programs which tests name. */
export function assessorWithAssumedPrograms(folder: string): ReturnType<typeof createCommandAssessor> {
  const ports = createNodePorts();
  const machine = createNodeCommandWorld();
  const findExecutable = async (file: string): Promise<string | undefined> =>
    ASSUMED.has(path.basename(file)) ? path.join('/usr/bin', path.basename(file)) : machine.findExecutable(file);
  return createCommandAssessor({
    grammars: bundledGrammars(),
    machine: { ...machine, findExecutable },
    ports: { ...ports, commandRunner: { ...ports.commandRunner, shellName: 'bash' } },
    roots: () => [{ name: 'w', path: folder }],
  });
}
