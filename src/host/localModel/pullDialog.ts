import os from 'node:os';
import * as vscode from 'vscode';
import { pullChoice } from '../../localModel/pull/pullChoice';
import { isPullName, pullConsent, pullModel, type Pull } from '../../localModel/pull/pullModel';
import type { InstalledProgram } from '../../localModel/installed/programs';
import type { SetUpOffer } from '../../localModel/setUp/offer';
import type { SetUpChoice } from '../../localModel/setUp/setUpChoice';
import { messageOf } from '../../util/errors';
import { notificationText } from '../notificationText';
import { carryOut, type SetUpDialogParts } from './carryOut';
import { afterPause, showWork } from './setUpProgress';

export const pullers = { ollama: 'Ollama', lms: 'LM Studio' } as const;

/** Has Ollama or LM Studio fetch a model after a clear yes. Then llama-server runs its file, or the program serves it. */
export async function pullByName(
  { kind, file }: InstalledProgram & Pick<Pull, 'kind'>,
  offer: SetUpOffer,
  parts: SetUpDialogParts,
): Promise<void> {
  const who = pullers[kind];
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Have {0} Fetch a Model', who),
    prompt: vscode.l10n.t('The name of the model, as {0} writes it. Nothing is fetched before you confirm.', who),
    placeHolder: kind === 'ollama' ? 'qwen3:8b' : 'qwen/qwen3-8b',
    validateInput: (text) => (isPullName(text.trim()) ? undefined : vscode.l10n.t('This is not a name of a model.')),
  });
  if (typed === undefined) return;
  const pull: Pull = { kind, file, name: typed.trim() };
  const yes = offer.program ? vscode.l10n.t('Fetch and Start') : vscode.l10n.t('Fetch');
  const question = vscode.l10n.t('Have {0} fetch {1}?', who, pull.name);
  const answer = await vscode.window.showInformationMessage(question, { modal: true, detail: pullConsent(pull) }, yes);
  if (answer === yes) await afterYes(pull, offer, parts);
}

/** Goes on after a pause or a failure without another question. */
async function afterYes(pull: Pull, offer: SetUpOffer, parts: SetUpDialogParts): Promise<void> {
  const { local } = parts.models;
  const shown = { name: pull.name, local, isForeign: true };
  let choice: SetUpChoice | undefined;
  const outcome = await showWork(shown, async (told, signal) => {
    const options = {
      ...{ env: process.env, signal },
      onProgress: ({ percent, text }: { readonly percent: number; readonly text: string }) =>
        told.downloading(percent, `${pullers[pull.kind]}: ${text}`, vscode.l10n.t('downloading {0} %', percent)),
    };
    told.downloading(0, vscode.l10n.t('{0} begins', pullers[pull.kind]), 'downloading');
    const { program, hardware } = offer;
    const machine = { platform: process.platform, env: process.env, home: os.homedir(), own: local.folder, hardware };
    if (program) choice = await pullChoice(pull, { ...machine, program }, options);
    else await pullModel(pull, options);
  }).catch((error: unknown) => ({ error }));
  if (typeof outcome === 'object') {
    const again = vscode.l10n.t('Retry');
    const answer = await vscode.window.showErrorMessage(notificationText(messageOf(outcome.error)), again);
    return answer === again ? afterYes(pull, offer, parts) : undefined;
  }
  if (outcome === 'paused' && (await afterPause(shown)) === 'goOn') return afterYes(pull, offer, parts);
  if (outcome !== 'done') return;
  return choice ? carryOut(choice, parts) : useTheirServer(pull, parts);
}

/** Without llama-server, the program that has the model serves it. */
async function useTheirServer({ kind, name }: Pull, { models: { server }, panel }: SetUpDialogParts): Promise<void> {
  await server.refresh();
  if (server.state.kind === 'connected') {
    await panel.reveal();
    return panel.checkServer();
  }
  const text =
    kind === 'ollama'
      ? vscode.l10n.t('Ollama has {0}. Start Ollama, then look again.', name)
      : vscode.l10n.t('LM Studio has {0}. Start the server of LM Studio (lms server start), then look again.', name);
  void vscode.window.showInformationMessage(notificationText(text));
}
