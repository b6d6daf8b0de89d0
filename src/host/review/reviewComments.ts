import * as vscode from 'vscode';
import type { Finding } from '../../agent/review/readFindings';
import { findPlaces } from '../../workspace/paths/findPlaces';
import { resolveInRoots } from '../../workspace/paths/roots';
import type { FileSystem } from '../../workspace/ports';
import type { Disposable } from '../../util/disposable';
import { visibleText } from '../../util/text/visibleText';
import { uriOf } from '../workspace/uris';
import { workspaceRoots } from '../workspace/workspaceRoots';

/** Lines of a larger file are not counted. */
const MAX_BYTES = 5_000_000;

/** A finding that stands at a line that exists. */
export interface PlacedFinding extends Finding {
  readonly uri: vscode.Uri;
}

interface ReviewCommentsParts {
  readonly fileSystem: FileSystem;
  readonly listNames: () => Promise<readonly string[]>;
}

/** Shows the findings of the newest review as comments in the editor, until they are dismissed. Holds no lock and no file. */
export class ReviewComments implements Disposable {
  readonly #parts: ReviewCommentsParts;
  readonly #controller = vscode.comments.createCommentController(
    'openAgent.review',
    vscode.l10n.t('Open Agent Review'),
  );
  readonly #threads = new Map<vscode.CommentThread, PlacedFinding>();

  constructor(parts: ReviewCommentsParts) {
    this.#parts = parts;
    // A person's own comments are not this extension's.
    this.#controller.options = { prompt: '', placeHolder: '' };
  }

  /** Shows these in place of those of the review before. Returns the findings that lead to lines that exist. */
  async show(findings: readonly Finding[]): Promise<readonly PlacedFinding[]> {
    const placed = await this.#place(findings);
    this.clear();
    for (const finding of placed) {
      const range = new vscode.Range(finding.line - 1, 0, finding.endLine - 1, 0);
      const comment: vscode.Comment = {
        body: safeMarkdown(finding.text),
        mode: vscode.CommentMode.Preview,
        author: { name: 'Open Agent' },
      };
      const thread = this.#controller.createCommentThread(finding.uri, range, [comment]);
      thread.canReply = false;
      thread.label = vscode.l10n.t('Review');
      thread.contextValue = 'finding';
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      this.#threads.set(thread, finding);
    }
    return placed;
  }

  /** The finding of a comment, or the one at the cursor. Its lines are where the text is by now. */
  find(given: unknown): (PlacedFinding & { readonly dismiss: () => void }) | undefined {
    const editor = vscode.window.activeTextEditor;
    for (const [thread, finding] of this.#threads) {
      const isAtCursor =
        thread.uri.toString() === editor?.document.uri.toString() &&
        thread.range !== undefined &&
        editor.selection.active.line >= thread.range.start.line &&
        editor.selection.active.line <= thread.range.end.line;
      if (given === undefined ? !isAtCursor : thread !== given) continue;
      const { start, end } = thread.range ?? new vscode.Range(finding.line - 1, 0, finding.endLine - 1, 0);
      const dismiss = (): void => {
        this.#threads.delete(thread);
        thread.dispose();
      };
      return { ...finding, line: start.line + 1, endLine: end.line + 1, dismiss };
    }
    return undefined;
  }

  clear(): void {
    for (const thread of this.#threads.keys()) thread.dispose();
    this.#threads.clear();
  }

  dispose(): void {
    this.clear();
    this.#controller.dispose();
  }

  async #place(findings: readonly Finding[]): Promise<readonly PlacedFinding[]> {
    const { fileSystem, listNames } = this.#parts;
    const names = [...new Set(findings.map(({ path }) => path))];
    const roots = workspaceRoots();
    const places = await findPlaces(names, { roots, fileSystem, listNames });
    const files = new Map<string, { readonly uri: vscode.Uri; readonly lines: number }>();
    for (const { name, path } of places) {
      const resolved = resolveInRoots(path, roots);
      if (!resolved.ok) continue;
      const uri = uriOf(resolved.path);
      files.set(name, { uri, lines: await countLines(uri) });
    }
    return findings.flatMap((finding) => {
      const file = files.get(finding.path);
      if (!file || finding.line > file.lines) return [];
      return [{ ...finding, uri: file.uri, endLine: Math.min(finding.endLine, file.lines) }];
    });
  }
}

/** 0: no text file. */
async function countLines(uri: vscode.Uri): Promise<number> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.lineCount;
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > MAX_BYTES) return 0;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 1);
  } catch {
    // The file has gone meanwhile: there is no line to comment.
    return 0;
  }
}

/** A model's Markdown as literal text, so that it loads no image and makes no link. Code between backticks stays code. */
function safeMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('', false);
  for (const [index, part] of visibleText(text, 'code').replaceAll('```', '').split('`').entries()) {
    const isCode = index % 2 === 1 && part.trim() !== '' && !part.includes('\n');
    // VS Code makes links of bare addresses, but not in code.
    for (const [at, piece] of (isCode ? ['', part] : part.split(/((?:\w+:\/\/|www\.)\S+)/)).entries()) {
      if (at % 2 === 1) markdown.appendMarkdown(`\`${piece}\``);
      else markdown.appendText(piece.replaceAll('**', ''));
    }
  }
  return markdown;
}
