import * as vscode from 'vscode';
import { SetUpError } from '../../localModel/download/setUpError';
import { progressText } from '../../localModel/download/transferRate';
import { discardChoice, fetchChoice, type SetUpStep } from '../../localModel/setUp/fetchChoice';
import { fetchedBy, type SetUpChoice } from '../../localModel/setUp/setUpChoice';
import { consentText } from '../../localModel/setUp/setUpText';
import { messageOf } from '../../util/errors';
import { signalOf } from '../cancellation';
import { notificationText } from '../notificationText';
import type { WindowModels } from '../openWindowModels';
import type { OutputLog } from '../outputLog';
import type { PanelController } from '../panel/panelController';
import type { SetUpAction } from './windowLocalModel';

export interface SetUpDialogParts {
  readonly models: WindowModels;
  readonly panel: Pick<PanelController, 'checkServer' | 'reveal'>;
  readonly log: Pick<OutputLog, 'warn'>;
}

/** Asks, fetches, starts and checks. */
export async function carryOut(choice: SetUpChoice, parts: SetUpDialogParts): Promise<void> {
  if (fetchedBy(choice).length > 0) {
    const yes = 'Download and Start';
    const detail = consentText(choice, parts.models.local.folder);
    if ((await vscode.window.showInformationMessage(`Set up ${choice.name}?`, { modal: true, detail }, yes)) !== yes)
      return;
  }
  return afterYes(choice, parts);
}

/** Goes on after a pause without another question: the yes was for the same files. */
async function afterYes(choice: SetUpChoice, parts: SetUpDialogParts): Promise<void> {
  const { local, server } = parts.models;
  const { folder } = local;
  const outcome = await fetchAndStart(choice, parts).catch((error: unknown) => {
    void vscode.window.showErrorMessage(notificationText(messageOf(error)));
    return 'failed' as const;
  });
  switch (outcome) {
    case 'failed':
      return;
    case 'removed':
      return discardChoice(choice, folder);
    case 'paused': {
      const action = await afterPause(choice, parts);
      return action === 'goOn' ? afterYes(choice, parts) : discardChoice(choice, folder);
    }
    case 'started':
      await useIt();
      await server.refresh();
      await parts.panel.reveal();
      return parts.panel.checkServer();
    default:
      return outcome satisfies never;
  }
}

/** Shows the progress in a notification, the panel and the status bar. Rejects when something fails. */
async function fetchAndStart(
  choice: SetUpChoice,
  { models: { local, access } }: SetUpDialogParts,
): Promise<'started' | 'paused' | 'removed'> {
  const stopping = new AbortController();
  let isRemoved = false;
  const steer = (action: SetUpAction): void => {
    isRemoved = action === 'remove';
    stopping.abort();
  };
  const show = (kind: 'downloading' | 'starting', text: string, short: string): void =>
    local.showSetUp({ name: choice.name, kind, text, short, steer });
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: notificationText(choice.name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const cancelling = signalOf(token);
    const signal = AbortSignal.any([cancelling.signal, stopping.signal]);
    try {
      let percent = 0;
      let shownMs = -Infinity;
      await fetchChoice(choice, {
        ...{ folder: local.folder, fetch: access.fetch, signal },
        onStep: (step) => {
          const now = percentOf(step);
          progress.report({ message: stepText(step), increment: now - percent });
          // The panel gets its whole state each time.
          if (now === percent && performance.now() - shownMs < 1_000) return;
          percent = now;
          shownMs = performance.now();
          show('downloading', stepText(step), step.kind === 'unpacking' ? 'unpacking' : `downloading ${now} %`);
        },
      });
      progress.report({ message: 'starting the model' });
      show('starting', 'starting the model', 'starting the model');
      const status = await local.start(signal);
      if (status.kind === 'ready') return 'started';
      const words = status.kind === 'failed' ? `${status.message} ${status.lastWords}` : 'It was stopped.';
      throw new SetUpError('program', `The model cannot be started. ${words}`);
    } catch (error) {
      if (!signal.aborted) throw error;
      return isRemoved ? 'removed' : 'paused';
    } finally {
      local.showSetUp(undefined);
      cancelling.dispose();
    }
  });
}

/** The model on this machine is used while the settings name no server. */
async function useIt(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  for (const name of ['baseUrl', 'model']) {
    if (configuration.get(name)) await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

/** Asks in a notification and in the panel. Waits in the panel when the notification is closed. */
async function afterPause(
  { name }: SetUpChoice,
  { models: { local } }: SetUpDialogParts,
): Promise<Exclude<SetUpAction, 'pause'>> {
  const [goOn, remove] = ['Go On', 'Remove'];
  try {
    return await new Promise((resolve, reject) => {
      const steer = (action: SetUpAction): void => void (action !== 'pause' && resolve(action));
      local.showSetUp({ name, kind: 'paused', text: 'paused', short: 'download paused', steer });
      void vscode.window
        .showInformationMessage(notificationText(`The set-up of ${name} is paused.`), goOn, remove)
        .then((answer) => {
          if (answer === goOn) resolve('goOn');
          if (answer === remove) resolve('remove');
        }, reject);
    });
  } finally {
    local.showSetUp(undefined);
  }
}

function percentOf(step: SetUpStep): number {
  return step.kind === 'unpacking' ? 100 : Math.floor((step.doneBytes * 100) / step.totalBytes);
}

function stepText(step: SetUpStep): string {
  if (step.kind === 'unpacking') return 'unpacking llama-server';
  return `${step.kind === 'program' ? 'llama-server' : 'model'}: ${progressText(step)}`;
}
