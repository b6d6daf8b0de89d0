import * as vscode from 'vscode';
import { readMentions } from '../../agent/context/mentions';
import type { PromptContext } from '../../agent/prompts/promptContext';
import { visibleText } from '../../util/visibleText';
import type { FileNames } from '../../workspace/node/files/fileNames';
import { findPlaces, type FoundPlace } from '../../workspace/paths/findPlaces';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';

/** Files that prompts name with `@`, and files that answers name. */
export interface Mentions {
  /** The file names that match the typed text, best first. */
  readonly findFiles: (typed: string) => Promise<readonly string[]>;
  /** The names in an answer that lead to something in the workspace. Only the person is told. */
  readonly findPlaces: (names: readonly string[]) => Promise<readonly FoundPlace[]>;
  /** Reads the files that a prompt names. Rejects with a reason for people. */
  readonly read: (text: string) => Promise<readonly PromptContext[]>;
}

export interface MentionsParts {
  readonly access: WorkspaceAccess;
  readonly names: FileNames;
  /** Whether an MCP server has this name; its resources are written `@name:…`. */
  readonly isServer: (name: string) => boolean;
}

const MAX_FOUND = 30;

/** Composes finding and reading of named files. */
export function createMentions({ access, names, isServer }: MentionsParts): Mentions {
  return {
    findFiles: (typed) => names.find(typed, MAX_FOUND),
    findPlaces: (wanted) =>
      findPlaces(wanted, {
        roots: access.roots(),
        fileSystem: access.ports.fileSystem,
        listNames: () => names.all(),
      }),
    read: (text) =>
      readMentions(text, { access, isTaken: isServer, confirmSecret, signal: new AbortController().signal }),
  };
}

async function confirmSecret(displayPath: string): Promise<boolean> {
  const send = 'Send It';
  const message = `Send ${visibleText(displayPath, 'path')} to the model?`;
  const detail = 'Your prompt names this file, and it may hold secrets. It is sent with this prompt only.';
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, send)) === send;
}
