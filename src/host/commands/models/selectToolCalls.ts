import * as vscode from 'vscode';
import type { ModelOptions } from '../../../agent/servers/model/modelOptions';
import type { WindowModels } from '../../openWindowModels';
import { writeToolCalls } from '../../settings/modelOptionsSetting';

type ToolCalls = NonNullable<ModelOptions['toolCalls']>;

const choices: readonly { readonly value: ToolCalls; readonly label: string; readonly detail: string }[] = [
  {
    value: 'auto',
    label: vscode.l10n.t('Automatic'),
    detail: vscode.l10n.t('Native, until the server rejects them; then as text.'),
  },
  {
    value: 'native',
    label: vscode.l10n.t('Native'),
    detail: vscode.l10n.t("In the request's own fields. The server needs a template with tools."),
  },
  {
    value: 'text',
    label: vscode.l10n.t('As text'),
    detail: vscode.l10n.t('Described in the prompt and read from the answer. Works with every server, but less well.'),
  },
];

/** Writes into the user's settings how the model in use calls tools. */
export async function selectToolCalls({ server }: Pick<WindowModels, 'server'>): Promise<void> {
  await server.ensure();
  const model = server.selectedModel;
  if (model === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No model is in use yet. Connect to a model server first.'),
    );
    return;
  }
  const summary = server.models.find(({ id }) => id === model);
  const learned = summary?.learned && [vscode.l10n.t('Learned: {0}.', summary.learned.join(', '))];
  const current = summary?.toolCalls ?? 'auto';
  const picked = await vscode.window.showQuickPick(
    choices.map((choice) => ({ ...choice, description: choice.value === current ? vscode.l10n.t('in use') : '' })),
    {
      title: vscode.l10n.t('How {0} Calls Tools', model),
      placeHolder: [vscode.l10n.t('Applies from the next message on.'), ...(learned ?? [])].join(' '),
    },
  );
  if (picked) await writeToolCalls(model, picked.value);
}
