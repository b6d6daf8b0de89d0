import * as vscode from 'vscode';
import { createNodePorts } from '../../workspace/node/createNodePorts';
import type { WorkspacePorts } from '../../workspace/ports';
import { systemSchedule } from '../schedule';
import { findRipgrep } from './findRipgrep';
import { createRipgrepTextSearch } from './ripgrepTextSearch';
import { createVscodeDiagnostics } from './vscodeDiagnostics';
import { createVscodeFileSystem } from './vscodeFileSystem';

/** The workspace as VS Code has it: its open buffers and its ripgrep. The rest is as in `node`. */
export function createVscodePorts(node: WorkspacePorts = createNodePorts()): WorkspacePorts {
  const { fileSystem, textSearch } = node;
  const ripgrepPath = findRipgrep(vscode.env.appRoot, process);
  return {
    ...node,
    diagnostics: createVscodeDiagnostics(systemSchedule),
    fileSystem: createVscodeFileSystem(fileSystem),
    textSearch: ripgrepPath === undefined ? textSearch : createRipgrepTextSearch({ ripgrepPath, fallback: textSearch }),
  };
}
