import * as vscode from 'vscode';
import type { AgentHost } from '../../agentHost';
import type { Command, CommandParts } from '../command';
import { notificationText } from '../../notificationText';

export function loadModel(parts: CommandParts): Command {
  return {
    id: 'openAgent.loadModel',
    run: (model) => changeLoaded(parts, model, { isLoaded: true, title: 'Load Model', progress: 'Loading' }),
  };
}

export function unloadModel(parts: CommandParts): Command {
  return {
    id: 'openAgent.unloadModel',
    run: (model) => changeLoaded(parts, model, { isLoaded: false, title: 'Unload Model', progress: 'Unloading' }),
  };
}

interface Change {
  readonly isLoaded: boolean;
  readonly title: string;
  readonly progress: string;
}

/** `given`: the model's id, where the panel knows it; otherwise the person picks one. */
async function changeLoaded({ host }: CommandParts, given: unknown, change: Change): Promise<void> {
  const agent = await host.get();
  await agent.server.ensure();
  const { server } = agent;
  if (server.state.kind !== 'connected' || !server.state.canLoad) {
    const name = server.state.kind === 'connected' ? server.state.serverName : 'The model server';
    void vscode.window.showInformationMessage(
      notificationText(
        `${name} has no way to load or unload models from here. llama.cpp without --model, Ollama and LM Studio 0.4 have.`,
      ),
    );
    return;
  }
  const model = typeof given === 'string' ? given : await pickModel(agent, change);
  if (model === undefined) return;
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: notificationText(`${change.progress} ${model}`),
      cancellable: true,
    },
    (_progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return server.changeLoaded(model, change.isLoaded, abort.signal);
    },
  );
  if (!outcome.ok && outcome.error.code !== 'interrupted') throw new Error(outcome.error.message);
}

async function pickModel({ server }: AgentHost, { isLoaded, title }: Change): Promise<string | undefined> {
  const fitting = server.models.filter((model) => model.isLoaded !== isLoaded);
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(
      `Every model of the server is ${isLoaded ? 'loaded' : 'unloaded'} already.`,
    );
    return undefined;
  }
  return vscode.window.showQuickPick(
    fitting.map(({ id }) => id),
    { title },
  );
}
