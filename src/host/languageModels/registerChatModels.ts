import * as vscode from 'vscode';
import type { LazyHost } from '../lazyHost';

/** As in package.json. */
const vendor = 'open-agent';

/** Offers the person's models to other extensions and to VS Code's chat. The agent is loaded when somebody asks for them. */
export function registerChatModels(host: LazyHost): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  let followed: vscode.LanguageModelChatProvider | undefined;
  const load = async (): Promise<vscode.LanguageModelChatProvider> => {
    const { chatModels } = await host.get();
    if (followed !== chatModels) chatModels.onDidChangeLanguageModelChatInformation?.(() => changes.fire());
    followed = chatModels;
    return chatModels;
  };
  const registration = vscode.lm.registerLanguageModelChatProvider(vendor, {
    onDidChangeLanguageModelChatInformation: changes.event,
    provideLanguageModelChatInformation: async (options, token) =>
      (await load()).provideLanguageModelChatInformation(options, token),
    provideLanguageModelChatResponse: async (...request) => (await load()).provideLanguageModelChatResponse(...request),
    provideTokenCount: async (...question) => (await load()).provideTokenCount(...question),
  });
  return vscode.Disposable.from(registration, changes);
}
