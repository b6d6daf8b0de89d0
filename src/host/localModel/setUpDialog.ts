import os from 'node:os';
import * as vscode from 'vscode';
import { sizeText } from '../../localModel/download/transferRate';
import { listKept, removeKept, type Kept } from '../../localModel/setUp/kept';
import { findOffer, type SetUpOffer } from '../../localModel/setUp/offer';
import { choiceOfFile, choiceOfUrl } from '../../localModel/setUp/ownModel';
import { fetchedBy } from '../../localModel/setUp/setUpChoice';
import { choiceDetail, hardwareText, noProgramText } from '../../localModel/setUp/setUpText';
import { pickText } from '../notificationText';
import { readLocalModelSettings } from '../settings/localModelSettings';
import { carryOut, type SetUpDialogParts } from './carryOut';

type Item = vscode.QuickPickItem & { readonly run?: () => Promise<void> };

/** Sets up a model on this machine: choose, say yes, and it is fetched, started and checked. */
export async function setUpModel(parts: SetUpDialogParts): Promise<void> {
  const { local } = parts.models;
  const { folder } = local;
  const { catalogue, program } = readLocalModelSettings();
  const offer = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Looking at this machine' },
    () => findOffer({ platform: process.platform, env: process.env, home: os.homedir(), folder, catalogue, program }),
  );
  for (const problem of offer.problems) parts.log.warn(problem);
  const items = [...choiceItems(offer, parts), ...ownItems(offer, parts), ...(await keptItems(parts))];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Set Up a Model on This Machine',
    placeHolder: `${hardwareText(offer.hardware)}. The best choice is the first.`,
    matchOnDetail: true,
  });
  await picked?.run?.();
}

function choiceItems({ choices, program, tooLarge }: SetUpOffer, parts: SetUpDialogParts): readonly Item[] {
  if (!program) return [{ label: '$(warning) llama-server Is Missing', detail: noProgramText }];
  const none = 'No model was found on this machine, and the catalogue holds none that is verified and fits.';
  if (choices.length === 0) return [{ label: '$(info) No Model Fits Yet', detail: none }];
  const left: Item[] =
    tooLarge === 0 ? [] : [{ label: `${tooLarge} more do not fit`, kind: vscode.QuickPickItemKind.Separator }];
  return [
    ...choices.map((choice) => ({
      label: `$(${fetchedBy(choice).length === 0 ? 'check' : 'cloud-download'}) ${pickText(choice.name)}`,
      detail: pickText(choiceDetail(choice)),
      run: () => carryOut(choice, parts),
    })),
    ...left,
  ];
}

/** Models that the person names. */
function ownItems({ hardware, program }: SetUpOffer, parts: SetUpDialogParts): readonly Item[] {
  if (!program) return [];
  const ofFile = async (): Promise<void> => {
    const [uri] = (await vscode.window.showOpenDialog({ filters: { 'GGUF files': ['gguf'] } })) ?? [];
    if (uri) await carryOut(await choiceOfFile(uri.fsPath, { hardware, program }), parts);
  };
  const ofUrl = async (): Promise<void> => {
    const url = await vscode.window.showInputBox({
      title: 'Address of a GGUF File',
      prompt: 'Its host is asked for the size and the header of the file. Nothing else is fetched before your yes.',
      placeHolder: 'https://…/model.gguf',
    });
    if (!url) return;
    const { fetch } = parts.models.access;
    const signal = AbortSignal.timeout(120_000);
    await carryOut(await choiceOfUrl(url.trim(), { hardware, program, fetch, signal }), parts);
  };
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(file) Use a GGUF File…', run: ofFile },
    { label: '$(link) Enter the Address of a GGUF File…', run: ofUrl },
  ];
}

/** What is kept, with the room that it takes. */
async function keptItems(parts: SetUpDialogParts): Promise<readonly Item[]> {
  const { local } = parts.models;
  const kept = await listKept(local.folder);
  const isRunning = ['ready', 'loading', 'starting'].includes(local.status.kind);
  const total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ...(isRunning ? [{ label: '$(debug-stop) Stop the Model', run: () => local.stop() }] : []),
    ...(kept.length > 0
      ? [
          {
            label: '$(trash) Remove Models and Programs…',
            description: sizeText(total),
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
      description: `${item.kind}, ${sizeText(item.bytes)}${item.isInUse ? ', in use' : ''}`,
      item,
    })),
    { title: 'Remove Models and Programs', canPickMany: true },
  );
  for (const { item } of picked ?? []) {
    if (item.isInUse) await local.stop();
    await removeKept(local.folder, item);
  }
  if (picked?.length) await server.refresh();
}
