import * as z from 'zod';
import { connectModel, type ModelConnectionParts } from '../../agent/servers/model/modelConnection';
import { modelOptionsFor } from '../../agent/servers/model/modelOptions';
import type { KeyStore } from '../../agent/servers/keys';
import type { FoundServer } from '../../agent/servers/probe/serverProbe';
import { TextTokens } from '../../agent/servers/model/textTokens';
import { AgentError, type AgentErrorInfo } from '../../sdk/errors';
import { estimateTokens } from '../../sdk/context/tokenCount';
import type { Message } from '../../sdk/messages';
import { normalizeBaseUrl } from '../../sdk/model/http/baseUrl';
import type { ModelRequest, ToolDefinition } from '../../sdk/model/modelProvider';
import { samplingFields } from '../../sdk/configuration/sampling';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { answerParts, type AnswerPart } from './answerParts';
import { offeredModels, type OfferedModel, type OfferSettings } from './offeredModel';
import * as l10n from '../../util/l10n';

export interface LocalModelsParts extends Pick<
  ModelConnectionParts,
  'slots' | 'quirks' | 'fetch' | 'ownServer' | 'logger' | 'note'
> {
  readonly settings: () => OfferSettings;
  /** The server in use. */
  readonly server: {
    readonly ensure: (options: { readonly quiet: boolean }) => Promise<void>;
    readonly wake: (options: { readonly signal: AbortSignal }) => Promise<AgentErrorInfo | undefined>;
    /** The server of this machine while it does not run. */
    readonly resting: FoundServer | undefined;
    readonly baseUrl: string | undefined;
    readonly serverAt: (baseUrl: string) => FoundServer | undefined;
  };
  readonly keys: Pick<KeyStore, 'get'>;
  readonly onInternalError: (error: unknown) => void;
}

/** A request of another extension to a model. */
export interface ForeignRequest {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** The model must call a tool. */
  readonly requiresTool: boolean;
  /** The caller's own options, unparsed. */
  readonly options?: unknown;
}

/** The person's models, for other extensions. Their requests wait for those of the panel. */
export class LocalModels implements Disposable {
  readonly #parts: LocalModelsParts;
  readonly #tokens: TextTokens;
  readonly #changes: Emitter<void>;
  /** The models of the last notification, as JSON. */
  #told = '[]';

  constructor(parts: LocalModelsParts) {
    this.#parts = parts;
    const { fetch, note = () => {} } = parts;
    this.#tokens = new TextTokens({ fetch, onProblem: note });
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells when `list` changes. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Tells the listeners when changes of the server or the settings have changed the models. */
  reconsider(): void {
    const now = JSON.stringify(this.#known());
    if (now === this.#told) return;
    this.#told = now;
    this.#changes.emit();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /**
   * All models now. Lists none of the server's while it does not answer, but the one of a server of this machine that was stopped:
   * a request starts it. VS Code asks for the list whenever it changes, so it starts nothing.
   */
  async list(): Promise<readonly OfferedModel[]> {
    await this.#parts.server.ensure({ quiet: true });
    return this.#known();
  }

  /** Streams one answer. Throws an `AgentError`; its code is `not_found` for an unknown model. */
  async *answer(id: string, request: ForeignRequest, signal: AbortSignal): AsyncGenerator<AnswerPart> {
    await this.#wake(id, signal);
    const offered = await this.#find(id);
    const { keys, slots, quirks, fetch, ownServer, logger, note, settings } = this.#parts;
    const { model, server } = offered;
    const baseUrl = normalizeBaseUrl(offered.baseUrl);
    const apiKey = await keys.get(baseUrl);
    const { modelOptions, contextWindow } = settings();
    const options = modelOptionsFor(modelOptions, model);
    const { provider } = connectModel({
      ...{ baseUrl, model, apiKey, server, contextWindow, options },
      ...{ slots, quirks, fetch, ownServer, logger, note },
      yieldsSlots: true,
    });
    yield* answerParts(provider, toModelRequest(offered, request, options.replayReasoning), signal);
  }

  /** Counts the tokens of a text: asks the model's server, or estimates. */
  async countTokens(id: string, text: string, signal: AbortSignal): Promise<number> {
    const { model, baseUrl, server } = await this.#find(id);
    // It does not run, and counting starts nothing.
    if (baseUrl === '') return estimateTokens(text);
    const apiKey = await this.#parts.keys.get(baseUrl);
    const where = { model, baseUrl: normalizeBaseUrl(baseUrl), apiKey, kind: server?.kind };
    return this.#tokens.count({ text, ...where }, signal);
  }

  #known(): readonly OfferedModel[] {
    const { settings, server } = this.#parts;
    const { baseUrl } = server;
    const serverAt = (url: string) => server.serverAt(normalizeBaseUrl(url));
    const inUse = baseUrl === undefined ? undefined : server.serverAt(baseUrl);
    return offeredModels(settings(), inUse ?? server.resting, serverAt);
  }

  async #wake(id: string, signal: AbortSignal): Promise<void> {
    if (!id.startsWith('server/')) return;
    const error = await this.#parts.server.wake({ signal });
    if (error) throw new AgentError(error);
  }

  async #find(id: string): Promise<OfferedModel> {
    const offered = (await this.list()).find((model) => model.id === id);
    if (offered) return offered;
    throw new AgentError({
      code: 'not_found',
      message: l10n.t('Open Agent has no model "{0}" now. Select a model again.', id),
    });
  }
}

/** Callers write options in their own ways. Unreadable ones are ignored, so the person's settings apply. */
const Wishes = z
  .looseObject({
    temperature: samplingFields().temperature.optional().catch(undefined),
    topP: samplingFields().topP.optional().catch(undefined),
    top_p: samplingFields().topP.optional().catch(undefined),
    maxTokens: samplingFields().maxTokens.optional().catch(undefined),
    max_tokens: samplingFields().maxTokens.optional().catch(undefined),
  })
  .catch({});

function toModelRequest(
  { model, sampling }: OfferedModel,
  { systemPrompt, messages, tools, requiresTool, options }: ForeignRequest,
  replayReasoning: ModelRequest['replayReasoning'],
): ModelRequest {
  const wishes = Wishes.parse(options ?? {});
  const { temperature = sampling.temperature, topP = wishes.top_p ?? sampling.topP } = wishes;
  const limits = [sampling.maxTokens, wishes.maxTokens ?? wishes.max_tokens].filter(
    (limit) => typeof limit === 'number',
  );
  const mustCall = requiresTool && tools.length > 0;
  return {
    model,
    systemPrompt,
    messages,
    tools,
    replayReasoning,
    sampling: {
      ...sampling,
      temperature,
      topP,
      ...(limits.length > 0 && { maxTokens: Math.min(...limits) }),
    },
    ...(mustCall && { toolChoice: 'required' }),
  };
}
