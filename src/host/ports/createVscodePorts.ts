import * as vscode from 'vscode';
import { createNodePorts } from '../../workspace/node/createNodePorts';
import { createVirtualTextSearch } from '../../workspace/node/search/virtualTextSearch';
import type { WorkspacePorts } from '../../workspace/ports';
import { withVirtualFiles, withVirtualSearch } from '../../workspace/withVirtualFiles';
import { workspaceRoots } from '../workspace/workspaceRoots';
import { findRipgrepOfVscode } from '../../workspace/node/search/ripgrep/findRipgrep';
import { createRipgrepTextSearch } from '../../workspace/node/search/ripgrep/ripgrepTextSearch';
import { createVirtualFiles } from './virtualFiles';
import { createVscodeCodeNavigation } from './vscodeCodeNavigation';
import { createVscodeDiagnostics, type DiagnosticsTimes } from './vscodeDiagnostics';
import { createVscodeFileSystem } from './vscodeFileSystem';
import { createVscodeNotebooks } from './notebooks/vscodeNotebooks';
import { systemTimer } from '../../util/timer';

/** The workspace through VS Code: its open buffers, ripgrep and virtual folders. Everything else comes from `node`. `times`: how long problems are awaited. */
export function createVscodePorts(node: WorkspacePorts = createNodePorts(), times?: DiagnosticsTimes): WorkspacePorts {
  const { fileSystem, textSearch } = node;
  const virtual = createVirtualFiles();
  const files = createVscodeFileSystem(withVirtualFiles(fileSystem, virtual));
  return {
    ...node,
    diagnostics: createVscodeDiagnostics(systemTimer, times),
    codeNavigation: createVscodeCodeNavigation(),
    fileSystem: files,
    notebooks: createVscodeNotebooks(files),
    textSearch: withVirtualSearch(
      createRipgrepTextSearch({
        findRipgrep: () => Promise.resolve(findRipgrepOfVscode(vscode.env.appRoot, process)),
        fallback: textSearch,
      }),
      createVirtualTextSearch({ fileSystem: virtual, roots: workspaceRoots }),
    ),
  };
}
