import * as vscode from 'vscode';
import { mentionOf } from '../../agent/view/prompt/mentionText';
import { displayPathOf } from '../workspace/displayPathOf';

interface NamedUris {
  /** What names them in a prompt. */
  readonly mentions: readonly string[];
  /** Those that a prompt cannot name, for people. */
  readonly left: readonly string[];
}

/** A prompt names at most as many files. */
const MAX_URIS = 20;

/** The texts that name files and folders of the workspace. Nothing is opened. */
export function nameUris(uris: readonly vscode.Uri[]): NamedUris {
  const mentions: string[] = [];
  const left: string[] = [];
  for (const uri of uris) {
    const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const mention = isInside ? mentionOf(displayPathOf(uri)) : undefined;
    if (mention === undefined || mentions.length >= MAX_URIS) left.push(isInside ? displayPathOf(uri) : uri.path);
    else mentions.push(mention);
  }
  return { mentions, left };
}

/** The texts that name what was dropped. Tells the person about the rest. */
export function nameDropped(uris: readonly string[]): readonly string[] {
  const { mentions, left } = nameUris(uris.flatMap((text) => droppedUri(text) ?? []));
  tellLeft(left);
  return mentions;
}

/** An address that was dropped. The window of a remote folder writes `vscode-remote:`, where this side has plain files. */
function droppedUri(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
  } catch {
    // It is no address.
    return undefined;
  }
}

/** Tells what could not be added, and why. */
export function tellLeft(left: readonly string[]): void {
  if (left.length === 0) return;
  const named = left.slice(0, 3).join(', ');
  const message =
    left.length > 3
      ? vscode.l10n.t(
          'Not added: {0} and {1} more. Up to {2} files and folders of the workspace can be added.',
          named,
          left.length - 3,
          MAX_URIS,
        )
      : vscode.l10n.t('Not added: {0}. Up to {1} files and folders of the workspace can be added.', named, MAX_URIS);
  void vscode.window.showWarningMessage(message);
}
