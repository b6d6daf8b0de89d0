import * as path from 'node:path';
import * as vscode from 'vscode';
import type { AgentSession } from '../../agent/session/agentSession';
import { planRestoreOf, type RestoreChoice } from '../../agent/restore/restore';
import type { SessionView } from '../../agent/view/sessionView';
import type { Checkpoint } from '../../workspace/checkpoints/fileChange';
import { restoreFiles } from '../../workspace/checkpoints/restoreFiles';
import { removeEmptyFolders } from '../../workspace/node/checkpoints/removeEmptyFolders';
import type { FileSystem, Root } from '../../workspace/ports';
import type { Checkpoints } from '../ports/createCheckpoints';
import { chooseFiles, chooseWhat, type RestoreWhat } from './restoreDialog';
import type { RestorePreview } from './restorePreview';
import { notificationText } from '../notificationText';

export interface RestoreFlowParts {
  readonly checkpoints: Checkpoints;
  readonly fileSystem: FileSystem;
  readonly roots: () => readonly Root[];
  readonly preview: RestorePreview;
}

/** Takes files and conversation back, as far as the person says. */
export interface RestoreFlow {
  /** Back to before a prompt. Answers the prompt's text when the conversation went back, to be typed anew. */
  restoreTo(session: AgentSession, promptId: string): Promise<string | undefined>;
  /** Takes back what the entry with this id says was taken back. */
  undo(session: AgentSession, entryId: string): Promise<void>;
}

export function createRestoreFlow({ checkpoints, fileSystem, roots, preview }: RestoreFlowParts): RestoreFlow {
  const plan = (since: readonly Checkpoint[]): Promise<readonly RestoreChoice[]> =>
    planRestoreOf(since, { contents: checkpoints.contents, fileSystem, roots: roots() });

  async function bringBack(session: AgentSession, chosen: readonly RestoreChoice[], label: string): Promise<void> {
    const outcome = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Taking files back' },
      () =>
        restoreFiles(chosen, label, {
          blobs: checkpoints.blobs,
          contents: checkpoints.contents,
          record: (checkpoint) => session.recordCheckpoint(checkpoint),
          removeEmptyFolders: (file) => removeEmptyFolders(file, roots()),
        }),
    );
    if (outcome.failed.length === 0) return;
    const lines = outcome.failed.map((failure) => `${path.basename(failure.path)}: ${failure.message}`);
    void vscode.window.showWarningMessage(notificationText(`Not taken back: ${lines.join(' ')}`));
  }

  return {
    async restoreTo(session, promptId) {
      const prompt = promptIn(session.view, promptId);
      if (!prompt) return undefined;
      if (isBusy(session)) return undefined;
      const choices = await plan(session.checkpointsSince(promptId));
      const label = `before “${headOf(prompt.text)}”`;
      const what: RestoreWhat | undefined = await chooseWhat(label, choices);
      if (what === undefined) return undefined;
      if (what !== 'conversation') {
        const chosen = await chooseFiles(label, choices, preview);
        if (!chosen) return undefined;
        if (isBusy(session)) return undefined;
        if (chosen.length > 0) await bringBack(session, chosen, label);
      }
      if (what === 'files' || session.goTo({ before: promptId }) === undefined) return undefined;
      return prompt.text;
    },

    async undo(session, entryId) {
      if (isBusy(session)) return;
      const undone = session.restoreOf(entryId);
      if (!undone) return;
      const choices = await plan(undone.checkpoints);
      // What the person has changed since is not overwritten without asking.
      const label = 'before they were taken back';
      const isSafe = choices.every(({ isChangedSince }) => !isChangedSince);
      const chosen = isSafe ? choices : await chooseFiles(label, choices, preview);
      if (!chosen || isBusy(session)) return;
      // Files first, as when going back: what was done together is undone together the next time.
      if (chosen.length > 0) await bringBack(session, chosen, label);
      if (undone.cameFrom !== undefined) session.goTo({ after: undone.cameFrom });
    },
  };
}

function isBusy(session: AgentSession): boolean {
  if (session.view.state === 'idle') return false;
  void vscode.window.showWarningMessage('The agent is working in this session. Stop it first.');
  return true;
}

function promptIn({ items }: SessionView, id: string): { readonly text: string } | undefined {
  const item = items.find((candidate) => candidate.kind === 'prompt' && candidate.id === id);
  return item?.kind === 'prompt' && !item.isSteering ? item : undefined;
}

function headOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
