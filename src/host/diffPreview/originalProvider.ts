import type * as vscode from 'vscode';
import { originalScheme } from './proposalUris';

/** Provides the texts before proposed edits, with unsaved changes. Read-only. */
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
