import * as vscode from 'vscode';
import { SetUpError } from '../../localModel/download/setUpError';
import { becomesChosen, discardChoice, fetchChoice, type SetUpStep } from '../../localModel/setUp/fetchChoice';
import { fetchedBy, type SetUpChoice } from '../../localModel/setUp/setUpChoice';
import { consentText, stepText } from '../../localModel/setUp/setUpText';
import { messageOf } from '../../util/errors';
import { notificationText } from '../notificationText';
import type { WindowModels } from '../openWindowModels';
import type { OutputLog } from '../outputLog';
import type { PanelController } from '../panel/panelController';
import { afterPause, showWork } from './setUpProgress';

export interface SetUpDialogParts {
  readonly models: WindowModels;
  readonly panel: Pick<PanelController, 'checkServer' | 'reveal'>;
  readonly log: Pick<OutputLog, 'warn'>;
}

/** Asks, fetches, starts and checks. */
export async function carryOut(choice: SetUpChoice, parts: SetUpDialogParts): Promise<void> {
  if (fetchedBy(choice).length > 0) {
    const isUpdate = choice.updates !== undefined;
    const yes = !isUpdate
      ? vscode.l10n.t('Download and Start')
      : becomesChosen(choice)
        ? vscode.l10n.t('Update and Start')
        : vscode.l10n.t('Update');
    const detail = consentText(choice, parts.models.local.folder);
    const question = isUpdate ? vscode.l10n.t('Update {0}?', choice.name) : vscode.l10n.t('Set up {0}?', choice.name);
    if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, yes)) !== yes) return;
  }
  return afterYes(choice, parts);
}

/** Goes on after a pause or a failure without another question: the yes was for the same files. */
async function afterYes(choice: SetUpChoice, parts: SetUpDialogParts): Promise<void> {
  const { local } = parts.models;
  const { folder } = local;
  const { name } = choice;
  const outcome = await fetchAndStart(choice, parts).catch((error: unknown) => ({ error }));
  if (typeof outcome === 'object') {
    return (await wantsAgain(outcome.error)) ? afterYes(choice, parts) : undefined;
  }
  switch (outcome) {
    case 'removed':
      return discardChoice(choice, folder);
    case 'paused':
      return (await afterPause({ name, local })) === 'goOn' ? afterYes(choice, parts) : discardChoice(choice, folder);
    case 'done':
      if (becomesChosen(choice)) return useIt(parts);
      return void vscode.window.showInformationMessage(notificationText(vscode.l10n.t('{0} was updated.', name)));
    default:
      return outcome satisfies never;
  }
}

function fetchAndStart(
  choice: SetUpChoice,
  { models: { local, access } }: SetUpDialogParts,
): Promise<'done' | 'paused' | 'removed'> {
  return showWork({ name: choice.name, local }, async (told, signal) => {
    let percent = 0;
    await fetchChoice(choice, {
      ...{ folder: local.folder, fetch: access.fetch, signal },
      onStep(step) {
        percent = percentOf(step) ?? percent;
        told.downloading(percent, stepText(step), shortText(step, percent));
      },
    });
    if (!becomesChosen(choice)) return;
    told.starting();
    const status = await local.start(signal);
    if (status.kind === 'ready') return;
    const words = status.kind === 'failed' ? `${status.message} ${status.lastWords}` : vscode.l10n.t('It was stopped.');
    throw new SetUpError('program', vscode.l10n.t('The model cannot be started. {0}', words));
  });
}

/** Says what went wrong, with the ways out. Resolves with whether the person wants to try it again. */
async function wantsAgain(error: unknown): Promise<boolean> {
  const [again, other] = [vscode.l10n.t('Retry'), vscode.l10n.t('Choose Another Folder…')];
  const isDisk = error instanceof SetUpError && (error.code === 'disk' || error.code === 'disk_full');
  const text = notificationText(messageOf(error));
  const answer = await vscode.window.showErrorMessage(text, again, ...(isDisk ? [other] : []));
  if (answer === other) await vscode.commands.executeCommand('workbench.action.openSettings', FOLDER_SETTING);
  return answer === again;
}

const FOLDER_SETTING = 'openAgent.localModels.folder';

/** Has this window use the model, and checks it. The model on this machine is used while the settings name no server. */
async function useIt({ models: { server }, panel }: SetUpDialogParts): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const before: [string, string][] = [];
  for (const name of ['baseUrl', 'model']) {
    const value: unknown = configuration.get(name);
    if (typeof value !== 'string' || value === '') continue;
    before.push([name, value]);
    await configuration.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
  if (before.length > 0) void offerUndo(before);
  await server.refresh();
  await panel.reveal();
  return panel.checkServer();
}

async function offerUndo(before: readonly (readonly [string, string])[]): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const names = new Intl.ListFormat(vscode.env.language).format(
    before.map(([name, value]) => `openAgent.${name} (${value})`),
  );
  const text =
    before.length === 1
      ? vscode.l10n.t('{0} was removed from your settings, so that the model on this machine is used.', names)
      : vscode.l10n.t('{0} were removed from your settings, so that the model on this machine is used.', names);
  if ((await vscode.window.showInformationMessage(notificationText(text), undo)) !== undo) return;
  for (const [name, value] of before) {
    await vscode.workspace.getConfiguration('openAgent').update(name, value, vscode.ConfigurationTarget.Global);
  }
}

/** `undefined`: as before. */
function percentOf(step: SetUpStep): number | undefined {
  switch (step.kind) {
    case 'program':
    case 'model':
      return Math.floor((step.doneBytes * 100) / step.totalBytes);
    case 'unpacking':
      return 100;
    case 'waiting':
    case 'quiet':
      return undefined;
    default:
      return step satisfies never;
  }
}

function shortText({ kind }: SetUpStep, percent: number): string {
  if (kind === 'unpacking') return vscode.l10n.t('unpacking');
  return kind === 'waiting' || kind === 'quiet'
    ? vscode.l10n.t('download waits')
    : vscode.l10n.t('downloading {0} %', percent);
}
