import * as vscode from 'vscode';
import type { ContextSource } from '../../agent/context/contextSource';
import { allProblemsContext, problemsContext, type ProblemInFile } from '../../agent/prompts/problems';
import { readName } from '../../agent/view/prompt/mentionText';
import { guardPath, type GuardOptions } from '../../workspace/paths/guardPath';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import { problemsOf } from '../commands/problems/problemsOf';
import { displayPathOf } from '../workspace/displayPathOf';
import { createSecretCheck } from '../workspace/secretFiles';
import { pathOf, uriOf } from '../workspace/uris';

export interface ProblemsSourceParts {
  readonly roots: () => GuardOptions['roots'];
  readonly fileSystem: GuardOptions['fileSystem'];
}

/** `@problems`: errors and warnings of the workspace. `@problems:src/a.ts` and `@problems:src/a.ts:3-9`: those of a file. */
export function createProblemsSource({ roots, fileSystem }: ProblemsSourceParts): ContextSource {
  const mayHoldSecrets = createSecretCheck(fileSystem);
  const mayBeSent = async (uri: vscode.Uri): Promise<boolean> => {
    if (await mayHoldSecrets(uri)) return false;
    const file = pathOf(uri);
    // A link can lead out of the workspace.
    return file === undefined || (await guardPath(file, { roots: roots(), fileSystem })).ok;
  };
  return {
    async read(argument, { confirmSecret }) {
      if (argument === undefined) return ofWorkspace(mayBeSent);
      const { path, lines } = readName(argument);
      const guarded = await guardPath(path, { roots: roots(), fileSystem });
      if (!guarded.ok) throw new Error(guarded.error);
      const uri = uriOf(guarded.path.path);
      const problems = vscode.languages
        .getDiagnostics(uri)
        .filter(({ range: { start, end } }) => !lines || (start.line < lines.end && end.line + 1 >= lines.start));
      const { displayPath } = guarded.path;
      const where = lines ? vscode.l10n.t('{0}, lines {1}-{2}', displayPath, lines.start, lines.end) : displayPath;
      if (problems.length === 0) throw new Error(vscode.l10n.t('VS Code reports no problem in {0}.', where));
      const isSecret = isReadingProtected(guarded.path);
      if (isSecret && !(await confirmSecret(displayPath)))
        throw new Error(vscode.l10n.t('{0} may hold secrets and you did not agree to send its problems.', displayPath));
      return problemsContext(problemsOf(await vscode.workspace.openTextDocument(uri), problems, { isSecret }));
    },
  };
}

async function ofWorkspace(mayBeSent: (uri: vscode.Uri) => Promise<boolean>) {
  const problems: ProblemInFile[] = [];
  let secret = 0;
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) continue;
    const shown = diagnostics.filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
    const displayPath = displayPathOf(uri);
    // Messages may quote the text that they are about.
    if (shown.length === 0) continue;
    if (!(await mayBeSent(uri))) secret += shown.length;
    else
      for (const { range, message, source, severity } of shown)
        problems.push({
          displayPath,
          line: range.start.line + 1,
          isError: severity === vscode.DiagnosticSeverity.Error,
          message,
          source,
        });
  }
  if (problems.length + secret === 0) {
    throw new Error(
      vscode.l10n.t(
        'VS Code reports no errors and warnings in the workspace. Most languages report them for open files only.',
      ),
    );
  }
  return allProblemsContext(problems, secret);
}
