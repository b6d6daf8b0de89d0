import os from 'node:os';
import * as vscode from 'vscode';
import { sizeText } from '../../localModel/download/transferRate';
import { freeDiskBytes } from '../../localModel/machine/hardware';
import { listKept, removeKept, type Kept } from '../../localModel/setUp/kept';
import { findOffer, type SetUpOffer } from '../../localModel/setUp/offer';
import { choiceOfFile, choiceOfUrl } from '../../localModel/setUp/ownModel';
import { fetchedBy, type SetUpChoice } from '../../localModel/setUp/setUpChoice';
import {
  choiceNeed,
  choiceOrigin,
  hardwareText,
  leftOutText,
  noChoiceText,
  noProgramText,
} from '../../localModel/setUp/setUpText';
import { messageOf } from '../../util/errors';
import { notificationText, pickText } from '../notificationText';
import { readLocalModelSettings } from '../settings/localModelSettings';
import { carryOut, type SetUpDialogParts } from './carryOut';
import { pullByName, pullers } from './pullDialog';

type Item = vscode.QuickPickItem & { readonly run?: () => Promise<void> };

/** Sets up a model on this machine: choose, say yes, and it is fetched, started and checked. */
export async function setUpModel(parts: SetUpDialogParts): Promise<void> {
  const { local } = parts.models;
  const { folder } = local;
  const { catalogue, program } = readLocalModelSettings();
  const offer = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking at this machine') },
    () => findOffer({ platform: process.platform, env: process.env, home: os.homedir(), folder, catalogue, program }),
  );
  for (const problem of offer.problems) parts.log.warn(problem);
  const items = [
    ...choiceItems(offer, parts),
    ...updateItems(offer, parts),
    ...ownItems(offer, parts),
    ...(await keptItems(parts)),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Set Up a Model on This Machine'),
    placeHolder: vscode.l10n.t('{0}. The best choice is the first.', hardwareText(offer.hardware)),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  try {
    await picked?.run?.();
  } catch (error) {
    void vscode.window.showErrorMessage(notificationText(messageOf(error)));
  }
}

/** Newer versions of what is here. */
function updateItems({ updates }: SetUpOffer, parts: SetUpDialogParts): readonly Item[] {
  return updates.map((choice) => ({
    label: `$(arrow-circle-up) ${vscode.l10n.t('Update {0}', pickText(choice.name))}`,
    description: pickText(choiceOrigin(choice)),
    detail: pickText(choiceNeed(choice)),
    run: () => carryOut(choice, parts),
  }));
}

function choiceItems(offer: SetUpOffer, parts: SetUpDialogParts): readonly Item[] {
  const { choices, program, inUse } = offer;
  if (!program)
    return [
      { label: `$(warning) ${vscode.l10n.t('llama-server Is Missing')}`, detail: noProgramText(), run: explainMissing },
    ];
  const isListed = inUse === undefined || choices.some(({ isInUse }) => isInUse);
  const other: Item[] = isListed
    ? []
    : [
        {
          label: `$(pass-filled) ${pickText(inUse.name)}`,
          description: vscode.l10n.t('in use'),
          detail: vscode.l10n.t('Not among the models that are offered now. Press Enter to start it.'),
          run: () => startAgain(parts),
        },
      ];
  if (choices.length === 0) {
    return [
      ...other,
      {
        label: `$(info) ${isListed ? vscode.l10n.t('No Model Fits Yet') : vscode.l10n.t('No Other Model Fits Yet')}`,
        detail: noChoiceText(),
      },
    ];
  }
  const leftOut = leftOutText(offer);
  return [
    ...other,
    ...choices.map((choice) => ({
      label: `$(${iconOf(choice)}) ${pickText(choice.name)}`,
      description: pickText(choiceOrigin(choice)),
      detail: pickText(choiceNeed(choice)),
      run: () => carryOut(choice, parts),
    })),
    ...(leftOut === '' ? [] : [{ label: leftOut, kind: vscode.QuickPickItemKind.Separator }]),
  ];
}

/** The list shows the beginning of the text only. */
async function explainMissing(): Promise<void> {
  const name = vscode.l10n.t('Open Setting');
  const options = { modal: true, detail: noProgramText() };
  if ((await vscode.window.showInformationMessage(vscode.l10n.t('llama-server is missing'), options, name)) !== name)
    return;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'openAgent.localModels.program');
}

function iconOf(choice: SetUpChoice): string {
  if (choice.isInUse) return 'pass-filled';
  return fetchedBy(choice).length === 0 ? 'check' : 'cloud-download';
}

async function startAgain({ models: { local, server } }: SetUpDialogParts): Promise<void> {
  await local.start(new AbortController().signal);
  await server.refresh();
}

/** Models that the person names. */
function ownItems(offer: SetUpOffer, parts: SetUpDialogParts): readonly Item[] {
  const { hardware, program, programs } = offer;
  const pulls = programs.flatMap((installed): Item[] => {
    const { kind, file } = installed;
    if (kind === 'llama-server') return [];
    return [
      {
        label: `$(cloud-download) ${vscode.l10n.t('Have {0} Fetch a Model…', pullers[kind])}`,
        run: () => pullByName({ kind, file }, offer, parts),
      },
    ];
  });
  if (!program) return pulls;
  const ofFile = async (): Promise<void> => {
    const [uri] = (await vscode.window.showOpenDialog({ filters: { 'GGUF files': ['gguf'] } })) ?? [];
    if (uri) await carryOut(await choiceOfFile(uri.fsPath, { hardware, program }), parts);
  };
  const ofUrl = async (): Promise<void> => {
    const url = await vscode.window.showInputBox({
      title: vscode.l10n.t('Address of a GGUF File'),
      prompt: vscode.l10n.t(
        'Its host is asked for the size and the header of the file. Nothing else is fetched before you confirm.',
      ),
      placeHolder: 'https://…/model.gguf',
    });
    if (!url) return;
    const { fetch } = parts.models.access;
    const signal = AbortSignal.timeout(120_000);
    await carryOut(await choiceOfUrl(url.trim(), { hardware, program, fetch, signal }), parts);
  };
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: `$(file) ${vscode.l10n.t('Use a GGUF File…')}`, run: ofFile },
    { label: `$(link) ${vscode.l10n.t('Enter the Address of a GGUF File…')}`, run: ofUrl },
    ...pulls,
  ];
}

/** What is kept, with the room that it takes. */
async function keptItems(parts: SetUpDialogParts): Promise<readonly Item[]> {
  const { local } = parts.models;
  const kept = await listKept(local.folder);
  const isRunning = ['ready', 'loading', 'starting'].includes(local.status.kind);
  const total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  const free = await freeDiskBytes(local.folder);
  return [
    ...(isRunning ? [{ label: `$(debug-stop) ${vscode.l10n.t('Stop the Model')}`, run: () => local.stop() }] : []),
    ...(kept.length > 0
      ? [
          {
            label: `$(trash) ${vscode.l10n.t('Remove Models and Programs…')}`,
            description:
              free === undefined
                ? sizeText(total)
                : vscode.l10n.t('{0}, {1} of the disk are free', sizeText(total), sizeText(free)),
            run: () => remove(kept, parts),
          },
        ]
      : []),
  ];
}

async function remove(kept: readonly Kept[], { models: { local, server } }: SetUpDialogParts): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    kept.map((item) => ({
      label: pickText(item.name),
      description: [item.kind, sizeText(item.bytes), ...(item.isInUse ? [vscode.l10n.t('in use')] : [])].join(', '),
      item,
    })),
    { title: vscode.l10n.t('Remove Models and Programs'), canPickMany: true },
  );
  for (const { item } of picked ?? []) {
    if (item.isInUse) await local.stop();
    await removeKept(local.folder, item);
  }
  if (picked?.length) await server.refresh();
}
