import * as l10n from '../../util/l10n';
import { AgentError, type AgentErrorInfo } from '../../sdk/errors';
import type { ModelLogger } from '../../sdk/model/modelLogger';
import type { AgentConfiguration } from '../configuration/chooseAgent';
import type { ModelAccess } from './access/modelAccess';
import { connectToServer } from './connectToServer';
import { gatewaySession } from './model/gatewaySession';
import { connectModel } from './model/modelConnection';
import { modelOptionsFor } from './model/modelOptions';
import type { FoundServer } from './probe/serverProbe';

export interface AskModelParts extends Pick<ModelAccess, 'keys' | 'slots' | 'quirks' | 'fetch' | 'ownServer'> {
  /** Has the server ready before the settings are read. Rejects with an `AgentError`. Absent: nothing is to be done. */
  readonly prepare?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Read for each request. */
  readonly settings: () => AgentConfiguration;
  /** The known server at a base URL. */
  readonly serverAt: (baseUrl: string) => FoundServer | undefined;
  readonly logger?: ModelLogger | undefined;
  readonly note?: ((message: string) => void) | undefined;
}

/** The model in use, for single answers: without tools, history or session. */
export interface AnsweringModel {
  /** In tokens; `undefined`: not known. */
  readonly contextWindow: number | undefined;
  /** Streams the text of one answer. Thoughts are switched off where the model can do without. Throws an `AgentError`. */
  readonly answer: (request: SingleRequest, signal: AbortSignal) => AsyncGenerator<string>;
}

export interface SingleRequest {
  readonly systemPrompt: string;
  readonly prompt: string;
}

/**
 * Finds the server and the model of the settings. `sessionId`: requests that build on each other, for gateways. Rejects with an
 * `AgentError` when there is none.
 */
export async function findAnsweringModel(
  parts: AskModelParts,
  signal: AbortSignal,
  sessionId?: string,
): Promise<AnsweringModel> {
  const { keys, slots, quirks, fetch, ownServer, serverAt, logger, note } = parts;
  await parts.prepare?.(signal);
  const settings = parts.settings();
  const outcome = await connectToServer(settings, { keys, fetch, signal });
  if (!outcome.ok) throw new AgentError(outcome.error);
  const { baseUrl, model } = outcome.connection;
  const apiKey = await keys.get(baseUrl);
  const options = modelOptionsFor(settings.modelOptions, model);
  const server = outcome.connection.server ?? serverAt(baseUrl);
  const connection = connectModel({
    ...{ baseUrl, model, apiKey, server, options, slots, quirks, fetch, ownServer, logger, note },
    contextWindow: settings.contextWindow,
    sessionId: sessionId === undefined ? undefined : gatewaySession(sessionId),
  });
  const { temperature = null, topP, topK, maxTokens = null, reasoningEffort, extraBody } = settings;
  return {
    contextWindow: connection.contextWindow(),
    async *answer({ systemPrompt, prompt }, stop) {
      const request = {
        model,
        systemPrompt,
        messages: [{ role: 'user', content: prompt }],
        tools: [],
        sampling: { temperature, topP, topK, maxTokens, reasoningEffort, extraBody, thinking: false },
      } as const;
      let isWhole = false;
      for await (const event of connection.provider.stream(request, { signal: stop })) {
        if (event.type === 'text_delta') yield event.text;
        if (event.type === 'error') throw new AgentError(event.error);
        if (event.type === 'response_end') isWhole = event.stopReason !== 'incomplete';
      }
      if (!isWhole) throw new AgentError(cutOff(model));
    },
  };
}

/** The text of one answer as a whole. Rejects as `answer` throws. */
export async function wholeAnswer(model: AnsweringModel, request: SingleRequest, signal: AbortSignal): Promise<string> {
  let said = '';
  for await (const part of model.answer(request, signal)) said += part;
  return said;
}

function cutOff(model: string): AgentErrorInfo {
  return {
    code: 'stream_broken',
    message: l10n.t('The answer of {0} was cut off before it was complete. Try again.', model),
  };
}
