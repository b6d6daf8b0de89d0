import * as vscode from 'vscode';
import type { ContextSources } from '../../../agent/context/contextSource';
import { describeMentions, readMentions, type NamedInPrompt } from '../../../agent/context/mentions';
import type { ContextChip } from '../../../agent/view/prompt/contextChip';
import { visibleText } from '../../../util/text/visibleText';
import type { NamedContext } from '../../../protocol/toWebview';
import { createNamedCode } from '../../context/namedCode';
import { openEditors } from '../../context/openEditors';
import type { FileNames, FoundNames } from '../../../workspace/node/files/fileNames';
import { findPlaces, type FoundPlace } from '../../../workspace/paths/findPlaces';
import type { FoundSymbol } from '../../../workspace/tools/navigation/symbolPlaces';
import type { WorkspaceAccess } from '../../../workspace/tools/workspaceAccess';

/** Files that prompts name with `@`, and files that answers name. */
export interface Mentions {
  /** The file names that match the typed text. A later question ends it. */
  readonly findFiles: (typed: string) => AsyncIterable<FoundNames>;
  /** Those of them that are open in an editor, the active one first. */
  readonly openFiles: (typed: string) => readonly string[];
  /** Code, branches and commits that the typed text names, best first. A later question ends it without an answer. */
  readonly findOthers: (typed: string) => Promise<readonly NamedContext[]>;
  /** The names in an answer that lead to something in the workspace. Only the person is told. */
  readonly findPlaces: (names: readonly string[]) => Promise<readonly FoundPlace[]>;
  /** The names in an answer that are symbols of the workspace. Only the person is told. Never rejects. */
  readonly findSymbols: (names: readonly string[]) => Promise<readonly FoundSymbol[]>;
  /** Reads the files and other context that a prompt names. Rejects with a reason for people. */
  readonly read: (text: string) => Promise<readonly NamedInPrompt[]>;
  /** Tells what a prompt names, and asks nothing. Rejects when `signal` is aborted. */
  readonly describe: (text: string, signal: AbortSignal) => Promise<readonly ContextChip[]>;
}

export interface MentionsParts {
  readonly access: WorkspaceAccess;
  readonly names: FileNames;
  readonly sources: ContextSources;
  readonly findSymbols: Mentions['findSymbols'];
  /** Why images are not sent to the model in use. `undefined`: they are sent. */
  readonly whyNoImages: () => string | undefined;
  /** Whether an MCP server has this name; its resources are written `@name:…`. */
  readonly isServer: (name: string) => boolean;
}

const MAX_FOUND = 30;

/** Composes finding and reading of named files. */
export function createMentions({
  access,
  names,
  sources,
  findSymbols,
  whyNoImages,
  isServer,
}: MentionsParts): Mentions {
  const common = { access, isTaken: isServer, sources, whyNoImages };
  return {
    findFiles: (typed) => names.search(typed, MAX_FOUND),
    findOthers: createNamedCode(),
    openFiles: (typed) => openEditors(typed).slice(0, MAX_FOUND),
    findPlaces: (wanted) =>
      findPlaces(wanted, {
        roots: access.roots(),
        fileSystem: access.ports.fileSystem,
        listNames: () => names.all(),
      }),
    findSymbols,
    read: (text) => readMentions(text, { ...common, confirmSecret, signal: new AbortController().signal }),
    describe: (text, signal) => describeMentions(text, { ...common, signal }),
  };
}

async function confirmSecret(displayPath: string): Promise<boolean> {
  const send = vscode.l10n.t('Send It');
  const message = vscode.l10n.t('Send {0} to the model?', visibleText(displayPath, 'path'));
  const detail = vscode.l10n.t(
    'Your prompt names this file, and it may hold secrets. It is sent with this prompt only.',
  );
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, send)) === send;
}
