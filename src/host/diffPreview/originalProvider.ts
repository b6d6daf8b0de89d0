import type * as vscode from 'vscode';
import { originalScheme } from './proposalUris';

/** The texts that proposals were made from, unsaved changes included, to be looked at only. */
export class OriginalProvider implements vscode.TextDocumentContentProvider {
  static readonly scheme = originalScheme;
  readonly #texts = new Map<string, string>();

  add(uri: vscode.Uri, text: string): void {
    this.#texts.set(uri.toString(), text);
  }

  remove(uri: vscode.Uri): void {
    this.#texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }
}
