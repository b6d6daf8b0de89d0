import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable';
import type { Lazy } from '../../util/lazy';

/** As in package.json. */
const vendor = 'open-agent';

export interface ChatModelsRegistration extends Disposable {
  /** Tells VS Code about the models of the loaded agent, now and at each change. */
  readonly follow: (models: vscode.LanguageModelChatProvider) => void;
}

/** Offers the person's models to other extensions and to VS Code's chat. The first question about them loads the agent. */
export function registerChatModels(
  host: Lazy<{ readonly chatModels: vscode.LanguageModelChatProvider }>,
): ChatModelsRegistration {
  const changes = new vscode.EventEmitter<void>();
  const load = async (): Promise<vscode.LanguageModelChatProvider> => (await host.get()).chatModels;
  const registration = vscode.lm.registerLanguageModelChatProvider(vendor, {
    onDidChangeLanguageModelChatInformation: changes.event,
    provideLanguageModelChatInformation: async (options, token) =>
      (await load()).provideLanguageModelChatInformation(options, token),
    provideLanguageModelChatResponse: async (...request) => (await load()).provideLanguageModelChatResponse(...request),
    provideTokenCount: async (...question) => (await load()).provideTokenCount(...question),
  });
  return {
    follow(models) {
      models.onDidChangeLanguageModelChatInformation?.(() => changes.fire());
      changes.fire();
    },
    dispose() {
      registration.dispose();
      changes.dispose();
    },
  };
}
