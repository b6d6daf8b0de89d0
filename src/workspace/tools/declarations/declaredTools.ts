import type { WorkspacePorts } from '../../ports';
import { applyEditDeclaration } from './applyEdit';
import { findSymbolDeclaration } from './findSymbol';
import { getDiagnosticsDeclaration } from './getDiagnostics';
import { listDirectoryDeclaration } from './listDirectory';
import { readFileDeclaration } from './readFile';
import { runTerminalCommandDeclaration } from './runTerminalCommand';
import { searchTextDeclaration } from './searchText';
import type { AnyDeclaration } from './toolDeclaration';
import { writeFileDeclaration } from './writeFile';

/** The tools that these ports allow, always in the same order, because each request begins with them. */
export function declaredTools({ codeNavigation, diagnostics }: WorkspacePorts): readonly AnyDeclaration[] {
  return [
    readFileDeclaration,
    listDirectoryDeclaration,
    searchTextDeclaration,
    ...(diagnostics ? [getDiagnosticsDeclaration] : []),
    applyEditDeclaration,
    writeFileDeclaration,
    runTerminalCommandDeclaration,
    // Last, because it comes and goes.
    ...(codeNavigation ? [findSymbolDeclaration] : []),
  ];
}
