import * as vscode from 'vscode';

const scheme = 'open-agent-exam';

/** Shows reports of exams as texts that cannot be changed. */
export class ExamReports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? vscode.l10n.t('This report is no longer there. Examine the model again.');
  }

  async show(title: string, text: string): Promise<void> {
    this.#count += 1;
    // The title is the tab's name, and a model's name may hold slashes.
    const name = title.replaceAll(/[\\/]/g, '-').slice(0, 120);
    const uri = vscode.Uri.from({ scheme, path: `/${name}.txt`, query: String(this.#count) });
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
