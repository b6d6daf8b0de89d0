import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable';
import type { LazyHost } from '../lazyHost';

/** As in package.json. */
const vendor = 'open-agent';

export interface ChatModelsRegistration extends Disposable {
  /** The agent has been loaded: VS Code hears of its models now, and whenever there are others. */
  readonly follow: (models: vscode.LanguageModelChatProvider) => void;
}

/** Offers the person's models to other extensions and to VS Code's chat. The agent is loaded when somebody asks for them. */
export function registerChatModels(host: LazyHost): ChatModelsRegistration {
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
