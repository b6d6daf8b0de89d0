import * as vscode from 'vscode';
import { signalOf } from '../cancellation';
import type { LazyHost } from '../lazyHost';

/** As in package.json. */
const vendor = 'open-agent';

/** Offers the person's models to other extensions and to VS Code's chat. The agent is loaded when somebody asks for them. */
export function registerChatModels(host: LazyHost): vscode.Disposable {
  const changes = new vscode.EventEmitter<void>();
  let isFollowing = false;
  const load = async () => {
    const loaded = await host.get();
    if (!isFollowing) loaded.onModelsChanged(() => changes.fire());
    isFollowing = true;
    return { ...(await import('./readRequest')), ...(await import('./modelErrors')), models: loaded.models };
  };
  const provider: vscode.LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: changes.event,
    async provideLanguageModelChatInformation() {
      const { models } = await load();
      return (await models.list()).map(({ id, name, detail, model, baseUrl, hasTools, maxInputTokens, maxOutputTokens }) => ({
        ...{ id, name, detail, maxInputTokens, maxOutputTokens },
        family: model,
        version: '1',
        tooltip: `${model} at ${baseUrl}`,
        capabilities: { toolCalling: hasTools, imageInput: false },
      }));
    },
    async provideLanguageModelChatResponse({ id }, messages, options, progress, token) {
      const { models, readRequest, toLanguageModelError } = await load();
      const cancellation = signalOf(token);
      try {
        for await (const part of models.answer(id, readRequest(messages, options), cancellation.signal)) {
          progress.report(
            part.type === 'text'
              ? new vscode.LanguageModelTextPart(part.text)
              : new vscode.LanguageModelToolCallPart(part.id, part.name, part.input),
          );
        }
      } catch (error) {
        throw toLanguageModelError(error);
      } finally {
        cancellation.dispose();
      }
    },
    async provideTokenCount({ id }, text, token) {
      const { models, messageText, toLanguageModelError } = await load();
      const cancellation = signalOf(token);
      try {
        return await models.countTokens(id, typeof text === 'string' ? text : messageText(text), cancellation.signal);
      } catch (error) {
        throw toLanguageModelError(error);
      } finally {
        cancellation.dispose();
      }
    },
  };
  return vscode.Disposable.from(vscode.lm.registerLanguageModelChatProvider(vendor, provider), changes);
}
