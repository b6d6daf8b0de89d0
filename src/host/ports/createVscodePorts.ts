import * as vscode from 'vscode';
import { createNodePorts } from '../../workspace/node/createNodePorts';
import type { WorkspacePorts } from '../../workspace/ports';
import { findRipgrep } from './findRipgrep';
import { createRipgrepTextSearch } from './ripgrepTextSearch';
import { createVscodeFileSystem } from './vscodeFileSystem';

/** The workspace as VS Code has it: its open buffers and its ripgrep. Commands run as they do on plain Node. */
export function createVscodePorts(): WorkspacePorts {
  const { fileSystem, commandRunner, textSearch } = createNodePorts();
  const ripgrepPath = findRipgrep(vscode.env.appRoot, process);
  return {
    fileSystem: createVscodeFileSystem(fileSystem),
    commandRunner,
    textSearch: ripgrepPath === undefined ? textSearch : createRipgrepTextSearch({ ripgrepPath, fallback: textSearch }),
  };
}
