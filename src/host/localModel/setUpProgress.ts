import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as vscode from 'vscode';
import { Throttle } from '../../util/async/throttle';
import { systemTimer } from '../../util/timer';
import { pausedText } from '../attention/statusText';
import { signalOf } from '../cancellation';
import { notificationText } from '../notificationText';
import type { SetUpAction, WindowLocalModel } from './windowLocalModel';

/** What the work of a set-up tells. */
export interface SetUpTold {
  /** `text`: how far it is. `short`: the same for the status bar. */
  readonly downloading: (percent: number, text: string, short: string) => void;
  /** From now on it cannot be paused. */
  readonly starting: () => void;
}

/** The panel gets its whole state each time. */
const SHOW_MS = 500;

export interface ShownWork {
  readonly name: string;
  readonly local: Pick<WindowLocalModel, 'showSetUp'>;
  /** Another program downloads, and keeps what it has. */
  readonly isForeign?: boolean | undefined;
}

/**
 * Shows work in a notification, the panel and the status bar, where the person can pause it. Rejects when it fails. `removed`: the
 * person wants nothing of it to stay.
 */
export async function showWork(
  { name, local, isForeign = false }: ShownWork,
  work: (told: SetUpTold, signal: AbortSignal) => Promise<void>,
): Promise<'done' | 'paused' | 'removed'> {
  const stopping = new AbortController();
  let isRemoved = false;
  const steer = (action: SetUpAction): void => {
    isRemoved = action === 'remove';
    stopping.abort();
  };
  const show = (kind: 'downloading' | 'starting', text: string, short: string): void =>
    local.showSetUp({ name, kind, text, short, steer, ...(isForeign && { isForeign }) });
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: notificationText(name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const cancelling = signalOf(token);
    const signal = AbortSignal.any([cancelling.signal, stopping.signal]);
    let percent = 0;
    const downloading = new Throttle<readonly [text: string, short: string]>({
      everyMs: SHOW_MS,
      setTimer: systemTimer,
      pass: (texts) => show('downloading', ...texts),
    });
    const told: SetUpTold = {
      downloading(now, text, short) {
        progress.report({ message: notificationText(text), increment: now - percent });
        percent = now;
        downloading.give([text, short]);
      },
      starting() {
        downloading.dispose();
        progress.report({ message: vscode.l10n.t('starting the model') });
        show('starting', vscode.l10n.t('starting the model'), vscode.l10n.t('starting the model'));
      },
    };
    try {
      await work(told, signal);
      return 'done';
    } catch (error) {
      if (!signal.aborted) throw error;
      return isRemoved ? 'removed' : 'paused';
    } finally {
      downloading.dispose();
      local.showSetUp(undefined);
      cancelling.dispose();
    }
  });
}

/**
 * Asks in a notification and in the panel. An answer in the panel closes the notification. VS Code lets extensions close
 * notifications of work only; these have no buttons of their own, so links answer. When the person closes it, the set-up
 * waits in the panel.
 */
export async function afterPause({ name, local, isForeign = false }: ShownWork): Promise<'goOn' | 'remove'> {
  const ended = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const steer = (action: SetUpAction): void => void (action !== 'pause' && resolve(action));
      const shown = { name, kind: 'paused', text: 'paused', short: pausedText(), steer } as const;
      local.showSetUp({ ...shown, ...(isForeign && { isForeign }) });
      void showPause({
        name,
        end: isForeign ? vscode.l10n.t('Stop') : vscode.l10n.t('Remove'),
        onAnswer: steer,
        ended: ended.signal,
      }).catch(reject);
    });
  } finally {
    ended.abort();
    local.showSetUp(undefined);
  }
}

interface PauseNotification {
  readonly name: string;
  /** The word for giving it up. */
  readonly end: string;
  readonly onAnswer: (action: SetUpAction) => void;
  /** Closes the notification. */
  readonly ended: AbortSignal;
}

async function showPause({ name, end, onAnswer, ended }: PauseNotification): Promise<void> {
  // A name of its own: the links of an earlier notification must not answer this one.
  const id = `openAgent.pausedSetUp.${randomUUID()}`;
  const command = vscode.commands.registerCommand(id, (action: unknown) => {
    if (action === 'goOn' || action === 'remove') onAnswer(action);
  });
  const link = (label: string, action: SetUpAction): string =>
    `[${label}](command:${id}?${encodeURIComponent(JSON.stringify([action]))})`;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: notificationText(vscode.l10n.t('The set-up of {0} is paused', name)),
    cancellable: true,
  };
  try {
    await vscode.window.withProgress(options, async (progress, token) => {
      // Without an increment, the bar would move.
      progress.report({ increment: 0, message: `${link(vscode.l10n.t('Continue'), 'goOn')} · ${link(end, 'remove')}` });
      const closing = signalOf(token);
      const closed = AbortSignal.any([ended, closing.signal]);
      if (!closed.aborted) await once(closed, 'abort');
      closing.dispose();
    });
  } finally {
    command.dispose();
  }
}
