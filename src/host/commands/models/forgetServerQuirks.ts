import * as vscode from 'vscode';
import type { LearnedServer } from '../../../agent/servers/learnedQuirks';
import type { Command, CommandParts } from '../command';

/** Shows what servers were found not to take, and forgets it for the one that is picked. */
export function forgetServerQuirks({ host }: CommandParts): Command {
  return {
    id: 'openAgent.forgetServerQuirks',
    async run() {
      const { quirks, reconfigure } = await host.get();
      const known = quirks.list();
      if (known.length === 0) {
        void vscode.window.showInformationMessage('No model server has rejected anything of late.');
        return;
      }
      const picked = await vscode.window.showQuickPick(known.map(pickItem), {
        title: 'Forget What a Server Rejects',
        placeHolder: 'After a change to the server, pick it: the next request tries everything again.',
      });
      if (!picked) return;
      quirks.reset(picked.endpoint);
      reconfigure();
    },
  };
}

function pickItem({ endpoint, model, words }: LearnedServer): vscode.QuickPickItem & { readonly endpoint: string } {
  const detail = words.join(' · ');
  return { endpoint, label: endpoint, description: model ?? 'all models', detail };
}
