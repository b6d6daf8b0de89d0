import * as vscode from 'vscode';
import { cleanCommitMessage, commitMessagePrompt, commitMessageSystemPrompt } from '../../agent/prompts/commitMessage';
import { forCommitMessage, summariseLongChanges } from '../../agent/prompts/changeSummaries';
import type { ChangedFile } from '../../agent/prompts/changedFiles';
import { findAnsweringModel, wholeAnswer, type AskModelParts, type SingleRequest } from '../../agent/servers/askModel';
import { AgentError } from '../../sdk/errors';
import type { MayHoldSecrets } from '../workspace/secretFiles';
import { changesToCommit } from './changesToCommit';
import { charactersOfHalf } from './charactersOfHalf';
import { SharedField } from './sharedField';
import { gitRepositories, type GitRepository } from './gitExtension';

/** More takes minutes to read on a home GPU, and says little more. */
const MAX_CHARACTERS = 30_000;
const WRITING = 'openAgent.isWritingCommitMessage';

export interface CommitMessageParts extends AskModelParts {
  readonly mayHoldSecrets: MayHoldSecrets;
}

/** Writes commit messages into the field of VS Code's source control view. */
export class CommitMessages {
  readonly #parts: CommitMessageParts;
  #writing: AbortController | undefined;

  constructor(parts: CommitMessageParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#writing?.abort();
  }

  /**
   * Writes a message for what is staged, or for all changes. `given`: the source control of the title that was clicked. What
   * the person typed before comes back when the answer fails or is stopped; typing meanwhile stops it.
   */
  async write(given: unknown): Promise<void> {
    if (this.#writing) return;
    const writing = new AbortController();
    this.#writing = writing;
    await vscode.commands.executeCommand('setContext', WRITING, true);
    try {
      const repository = await repositoryMeant(given);
      if (repository === undefined) return;
      const progress = { location: vscode.ProgressLocation.SourceControl };
      await vscode.window.withProgress(progress, () => this.#writeInto(repository, writing.signal));
    } finally {
      this.#writing = undefined;
      await vscode.commands.executeCommand('setContext', WRITING, false);
    }
  }

  async #writeInto(repository: GitRepository, signal: AbortSignal): Promise<void> {
    const files = await changesToCommit(repository, this.#parts.mayHoldSecrets);
    if (files.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There are no changes to commit.'));
      return;
    }
    const model = await findAnsweringModel(this.#parts, signal);
    const begun = repository.inputBox.value;
    const field = new SharedField(repository.inputBox);
    const maxCharacters = Math.min(MAX_CHARACTERS, charactersOfHalf(model.contextWindow));
    const ask = (request: SingleRequest): Promise<string> => wholeAnswer(model, request, signal);
    let known: readonly ChangedFile[];
    try {
      known = await summariseLongChanges(files, { ask, maxCharacters, purpose: forCommitMessage });
    } catch (error) {
      if (error instanceof AgentError && signal.aborted) return;
      throw error;
    }
    const prompt = commitMessagePrompt({
      files: known,
      recentSubjects: await subjectsOf(repository),
      begun,
      maxCharacters,
    });
    let text = '';
    try {
      for await (const part of model.answer({ systemPrompt: commitMessageSystemPrompt, prompt }, signal)) {
        // What the person types meanwhile is theirs.
        if (field.isTyping()) return;
        text += part;
        const message = cleanCommitMessage(text);
        if (message !== '') field.show(message);
      }
      if (cleanCommitMessage(text) === '')
        throw new Error(vscode.l10n.t('The model wrote no commit message. Try again.'));
    } catch (error) {
      if (!field.isTyping()) field.show(begun);
      if (error instanceof AgentError && signal.aborted) return;
      throw error;
    }
    if (begun.trim() !== '') offerUndo(field, begun);
  }
}

/** A message that the person began is replaced, so it can be brought back. */
function offerUndo(field: SharedField, begun: string): void {
  const undo = vscode.l10n.t('Undo');
  void vscode.window
    .showInformationMessage(vscode.l10n.t('The message that you began was replaced.'), undo)
    .then((choice) => {
      if (choice === undo && !field.isTyping()) field.show(begun);
    });
}

async function repositoryMeant(given: unknown): Promise<GitRepository | undefined> {
  const repositories = await gitRepositories();
  const root = (given as { readonly rootUri?: vscode.Uri } | undefined)?.rootUri?.toString();
  const meant = root === undefined ? undefined : repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (meant || repositories.length === 1) return meant ?? repositories[0];
  if (repositories.length === 0) throw new Error(vscode.l10n.t('No folder of this window is a git repository.'));
  const items = repositories.map((repository) => ({ label: repository.rootUri.fsPath, repository }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Write a commit message for') }))
    ?.repository;
}

/** A repository without commits has none. */
async function subjectsOf(repository: GitRepository): Promise<readonly string[]> {
  try {
    const commits = await repository.log({ maxEntries: 8 });
    return commits.map(({ message }) => message.split('\n', 1)[0] ?? '');
  } catch {
    // git fails on a branch without commits, and then there is no style to keep.
    return [];
  }
}
