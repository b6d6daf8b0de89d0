import * as l10n from '../../util/l10n';
import type { Checkpoint } from '../../workspace/checkpoints/fileChange';
import { restoreFiles } from '../../workspace/checkpoints/restoreFiles';
import type { CheckpointParts } from '../../workspace/checkpoints/withCheckpoints';
import type { FileSystem, Root } from '../../workspace/ports';
import type { AgentSession } from '../session/agentSession';
import { titleOf } from '../session/prompt';
import type { PromptItem } from '../view/sessionView';
import { visibleText } from '../../util/text/visibleText';
import { findRestoreMove, planRestoreOf, type RestoreChoice } from './planRestore';

export type RestoreWhat = 'both' | 'files' | 'conversation';

/** The port to the person who goes back. Labels begin with "before". */
export interface RestoreDialog {
  /** Asks what goes back. Without choices only the conversation can. `undefined`: nothing. */
  chooseWhat(label: string, choices: readonly RestoreChoice[]): Promise<RestoreWhat | undefined>;
  /** Asks which files go back; suggests those that only the agent has changed. `undefined`: stop, nothing goes back. */
  chooseFiles(label: string, choices: readonly RestoreChoice[]): Promise<readonly RestoreChoice[] | undefined>;
  /** Shows which files an undo changes. */
  announceUndo(choices: readonly RestoreChoice[]): void;
  /** Shows progress during `work`, and returns its result. */
  showProgress<T>(work: () => Promise<T>): PromiseLike<T>;
  /** Shows a message without hidden characters. */
  warn(message: string): void;
}

export interface RestoreFlowParts {
  readonly checkpoints: Pick<CheckpointParts, 'blobs' | 'contents'>;
  readonly fileSystem: FileSystem;
  readonly roots: () => readonly Root[];
  /** Removes the empty folders above a deleted file. */
  readonly removeEmptyFolders: (file: string, roots: readonly Root[]) => Promise<void>;
  readonly dialog: RestoreDialog;
}

/** The parts of a session that going back uses. */
export type RestorableSession = Pick<
  AgentSession,
  'view' | 'entries' | 'checkpointsSince' | 'recordCheckpoint' | 'restoreOf' | 'goTo'
>;

/** Restores files and conversation, after asking the person. */
export interface RestoreFlow {
  /** Goes back to before a prompt. Returns the prompt's text when the conversation went back. */
  restoreTo(session: RestorableSession, promptId: string): Promise<string | undefined>;
  /**
   * The same for a prompt that is sent again at once: asks only if files were changed since. Returns `false` when nothing
   * may be sent.
   */
  goBack(session: RestorableSession, promptId: string): Promise<boolean>;
  /** The files that differ from before a prompt. */
  changesSince(session: RestorableSession, promptId: string): Promise<readonly RestoreChoice[]>;
  /** Brings the files back to before the newest prompt; asks if they were changed since. Returns `false` if nothing did. */
  undoRun(session: RestorableSession, promptId: string): Promise<boolean>;
  /** Brings the files back to before the round of repair that a run's summary names; otherwise as `undoRun`. */
  undoRepair(session: RestorableSession, summaryId: string): Promise<boolean>;
  /** Undoes the restore that the entry with this id records. */
  undo(session: RestorableSession, entryId: string): Promise<void>;
}

export function createRestoreFlow(parts: RestoreFlowParts): RestoreFlow {
  const { checkpoints, fileSystem, roots, removeEmptyFolders, dialog } = parts;
  const { blobs, contents } = checkpoints;

  const plan = (since: readonly Checkpoint[]): Promise<readonly RestoreChoice[]> =>
    planRestoreOf(since, { contents, fileSystem, roots: roots() });

  const isBusy = (session: RestorableSession): boolean => {
    if (session.view.state === 'idle') return false;
    dialog.warn(l10n.t('The agent is working in this session. Stop it first.'));
    return true;
  };

  async function restoreChosen(
    session: RestorableSession,
    chosen: readonly RestoreChoice[],
    label: string,
  ): Promise<void> {
    if (chosen.length === 0) return;
    const { failed } = await dialog.showProgress(() =>
      restoreFiles(chosen, label, {
        blobs,
        contents,
        record: (checkpoint) => session.recordCheckpoint(checkpoint),
        findMove: async (item) => findRestoreMove(item, { fileSystem, roots: roots() }),
        removeEmptyFolders: (file) => removeEmptyFolders(file, roots()),
      }),
    );
    if (failed.length === 0) return;
    const reasons = failed.map(({ path, message }) => {
      const name = chosen.find((choice) => choice.path === path)?.place.displayPath ?? path;
      return visibleText(`${name}: ${message}`, 'path');
    });
    dialog.warn(l10n.t('Not restored: {0}', reasons.join(' ')));
  }

  const findPrompt = (session: RestorableSession, promptId: string): PromptItem | undefined => {
    const item = session.view.items.find(({ kind, id }) => kind === 'prompt' && id === promptId);
    return item?.kind === 'prompt' && !item.isSteering ? item : undefined;
  };

  /** Returns what went back; `undefined`: the person wants nothing to go back, or it cannot. */
  async function restoreBefore(
    session: RestorableSession,
    { id, text }: PromptItem,
    { asksAlways }: { readonly asksAlways: boolean },
  ): Promise<RestoreWhat | undefined> {
    if (isBusy(session)) return undefined;
    const choices = await plan(session.checkpointsSince(id));
    const label = l10n.t('before “{0}”', titleOf(text));
    const isAsked = asksAlways || choices.length > 0;
    const what = isAsked ? await dialog.chooseWhat(label, choices) : 'conversation';
    if (what === undefined || isBusy(session)) return undefined;
    if (what !== 'conversation') {
      const chosen = await dialog.chooseFiles(label, choices);
      if (!chosen || isBusy(session)) return undefined;
      await restoreChosen(session, chosen, label);
    }
    return what === 'files' || session.goTo({ before: id }) !== undefined ? what : undefined;
  }

  /** Of the newest run. `prompt`: that it answers. `since`: the entry from which on changes are undone. */
  async function undoSince(
    session: RestorableSession,
    prompt: PromptItem,
    since: string,
    label: string,
  ): Promise<boolean> {
    const newest = session.view.items.findLast((item) => item.kind === 'prompt' && !item.isSteering);
    if (newest?.id !== prompt.id || isBusy(session)) return false;
    const choices = await plan(session.checkpointsSince(since));
    if (choices.length === 0) dialog.warn(l10n.t('The files are as they were {0}.', label));
    const isSafe = choices.every(({ isChangedSince }) => !isChangedSince);
    const chosen = isSafe ? choices : await dialog.chooseFiles(label, choices);
    if (!chosen || isBusy(session)) return false;
    await restoreChosen(session, chosen, label);
    return true;
  }

  return {
    async restoreTo(session, promptId) {
      const prompt = findPrompt(session, promptId);
      const what = prompt && (await restoreBefore(session, prompt, { asksAlways: true }));
      return what === undefined || what === 'files' ? undefined : prompt?.text;
    },

    async goBack(session, promptId) {
      const prompt = findPrompt(session, promptId);
      return prompt !== undefined && (await restoreBefore(session, prompt, { asksAlways: false })) !== undefined;
    },

    changesSince: (session, promptId) => plan(session.checkpointsSince(promptId)),

    async undoRun(session, promptId) {
      const prompt = findPrompt(session, promptId);
      return prompt !== undefined && undoSince(session, prompt, promptId, l10n.t('before “{0}”', titleOf(prompt.text)));
    },

    async undoRepair(session, summaryId) {
      const summary = session.entries.find(({ id }) => id === summaryId);
      if (summary?.type !== 'run_summary' || summary.beforeRound === undefined) return false;
      const prompt = findPrompt(session, summary.promptId);
      return prompt !== undefined && undoSince(session, prompt, summary.beforeRound, l10n.t('before the repair'));
    },

    async undo(session, entryId) {
      if (isBusy(session)) return;
      const undone = session.restoreOf(entryId);
      if (!undone) return;
      const choices = await plan(undone.checkpoints);
      dialog.announceUndo(choices);
      const label = l10n.t('before they were restored');
      // Asks before it overwrites a change by the person.
      const isSafe = choices.every(({ isChangedSince }) => !isChangedSince);
      const chosen = isSafe ? choices : await dialog.chooseFiles(label, choices);
      if (!chosen || isBusy(session)) return;
      // Files first, as in `restoreTo`: the next undo then covers both together.
      await restoreChosen(session, chosen, label);
      if (undone.cameFrom !== undefined) session.goTo({ after: undone.cameFrom });
    },
  };
}
