import * as vscode from 'vscode';
import { signalOf } from '../cancellation';
import type { LocalModels } from './localModels';
import { toLanguageModelError } from './modelErrors';
import { messageText, readRequest } from './readRequest';

/** Offers the person's models through VS Code's interface. */
export function createChatModels(models: LocalModels): vscode.LanguageModelChatProvider {
  return {
    onDidChangeLanguageModelChatInformation: (listener) => vscode.Disposable.from(models.onChange(listener)),

    async provideLanguageModelChatInformation() {
      const offered = await models.list();
      return offered.map(
        ({ id, name, detail, model, baseUrl, hasTools, hasVision, maxInputTokens, maxOutputTokens }) => ({
          ...{ id, name, detail, maxInputTokens, maxOutputTokens },
          family: model,
          version: '1',
          tooltip:
            baseUrl === ''
              ? vscode.l10n.t('{0} on this machine. A request starts it.', model)
              : vscode.l10n.t('{0} at {1}', model, baseUrl),
          capabilities: { toolCalling: hasTools, imageInput: hasVision },
        }),
      );
    },

    provideLanguageModelChatResponse: ({ id }, messages, options, progress, token) =>
      withSignal(token, async (signal) => {
        for await (const part of models.answer(id, readRequest(messages, options), signal)) {
          progress.report(
            part.type === 'text'
              ? new vscode.LanguageModelTextPart(part.text)
              : new vscode.LanguageModelToolCallPart(part.id, part.name, part.input),
          );
        }
      }),

    provideTokenCount: ({ id }, text, token) =>
      withSignal(token, (signal) =>
        models.countTokens(id, typeof text === 'string' ? text : messageText(text), signal),
      ),
  };
}

async function withSignal<T>(token: vscode.CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancellation = signalOf(token);
  try {
    return await work(cancellation.signal);
  } catch (error) {
    throw toLanguageModelError(error);
  } finally {
    cancellation.dispose();
  }
}
