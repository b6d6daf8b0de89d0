import * as vscode from 'vscode';
import type { ModelOptions } from '../../../agent/servers/model/modelOptions';
import type { Command, CommandParts } from '../command';

type ToolCalls = NonNullable<ModelOptions['toolCalls']>;

const choices: readonly { readonly value: ToolCalls; readonly label: string; readonly detail: string }[] = [
  { value: 'auto', label: 'Automatic', detail: 'Native, until the server rejects them; then as text.' },
  { value: 'native', label: 'Native', detail: "In the request's own fields. The server needs a template with tools." },
  {
    value: 'text',
    label: 'As text',
    detail: 'Described in the prompt and read from the answer. Works less well, everywhere.',
  },
];

/** Sets, for the model in use, how it calls tools: in the user's settings, where it can be changed by hand, too. */
export function selectToolCalls({ host }: CommandParts): Command {
  return {
    id: 'openAgent.selectToolCalls',
    async run() {
      const { server, setToolCalls } = await host.get();
      await server.ensure();
      const model = server.selectedModel;
      if (model === undefined) {
        void vscode.window.showInformationMessage('No model is in use yet. Connect to a model server first.');
        return;
      }
      const summary = server.models.find(({ id }) => id === model);
      const learned = summary?.learned === undefined ? '' : ` Learned: ${summary.learned.join(', ')}.`;
      const current = summary?.toolCalls ?? 'auto';
      const picked = await vscode.window.showQuickPick(
        choices.map((choice) => ({ ...choice, description: choice.value === current ? 'in use' : '' })),
        { title: `How ${model} Calls Tools`, placeHolder: `Holds from the next prompt on.${learned}` },
      );
      if (picked) await setToolCalls(model, picked.value);
    },
  };
}
