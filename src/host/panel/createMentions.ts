import * as vscode from 'vscode';
import { readMentions } from '../../agent/context/mentions';
import type { PromptContext } from '../../agent/view/sessionEvents';
import { visibleText } from '../../util/visibleText';
import { FileNames } from '../../workspace/node/files/fileNames';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';

/** Files that prompts name with `@`. */
export interface Mentions {
  /** Names of files that what was typed could mean, best first. */
  readonly findFiles: (typed: string) => Promise<readonly string[]>;
  /** What goes along with a prompt that names files. Rejects with a reason for people. */
  readonly read: (text: string) => Promise<readonly PromptContext[]>;
}

export interface MentionsParts {
  readonly access: WorkspaceAccess;
  /** Whether there is an MCP server of this name, whose resources are named `@name:…`. */
  readonly isServer: (name: string) => boolean;
}

const MAX_FOUND = 30;

/** Composes reading and finding of what prompts name. */
export function createMentions({ access, isServer }: MentionsParts): Mentions {
  const names = new FileNames({ roots: access.roots, now: Date.now });
  return {
    findFiles: (typed) => names.find(typed, MAX_FOUND),
    read: (text) =>
      readMentions(text, { access, isTaken: isServer, confirmSecret, signal: new AbortController().signal }),
  };
}

async function confirmSecret(displayPath: string): Promise<boolean> {
  const send = 'Send It';
  const message = `Send ${visibleText(displayPath, 'path')} to the model?`;
  const detail = 'Your prompt names this file, and it may hold secrets.';
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, send)) === send;
}
