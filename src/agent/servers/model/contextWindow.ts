import type { ModelProvider } from '../../../sdk/model/modelProvider';
import type { ServerModel } from '../probe/serverIdentity';
import type { FoundServer } from '../probe/serverProbe';

export interface ContextWindow {
  readonly tokens: number;
  /**
   * The source of the number, from sure to unsure: the person's setting · the loaded model · the model's maximum by the
   * server · an assumption.
   */
  readonly source: 'setting' | 'loaded' | 'advertised' | 'assumed';
}

/** Ollama's default window, whatever the model's maximum. Source: its FAQ. */
const OLLAMA_DEFAULT_TOKENS = 4_096;

/**
 * For servers that do not report a window. Enough to work, and most have loaded as much. A server that rejects a prompt
 * names its limit.
 */
const ASSUMED_TOKENS = 16_384;

/** The context window of a model; `undefined` before the server is known. */
export function contextWindowOf(
  model: string,
  known: { readonly setting: number | null; readonly server: FoundServer | undefined },
): ContextWindow | undefined {
  const { setting, server } = known;
  if (setting !== null) return { tokens: setting, source: 'setting' };
  const listed = server && entryOf(server, model);
  const { contextWindow: tokens, contextSource: source } = listed ?? {};
  if (tokens !== undefined && source === 'loaded') return { tokens, source };
  // Ollama drops the start of a long prompt, so a small guess does less harm than a large one.
  if (server?.kind === 'ollama') {
    return { tokens: Math.min(tokens ?? OLLAMA_DEFAULT_TOKENS, OLLAMA_DEFAULT_TOKENS), source: 'assumed' };
  }
  if (tokens !== undefined) return { tokens, source: 'advertised' };
  return server && { tokens: ASSUMED_TOKENS, source: 'assumed' };
}

function entryOf({ kind, models, canLoad }: FoundServer, model: string): ServerModel | undefined {
  const listed = models.find(({ id }) => id === model || id === `${model}:latest`);
  // These servers answer with their only model, whatever name is asked for.
  const hasOnlyOne = models.length === 1 && canLoad !== true && (kind === 'llama.cpp' || kind === 'koboldcpp');
  return listed ?? (hasOnlyOne ? models[0] : undefined);
}

export interface WindowWatchParts {
  readonly model: string;
  readonly setting: number | null;
  /** The server as known before the first request. */
  readonly server: FoundServer | undefined;
  /** Probes the server. Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<FoundServer | undefined>;
}

/**
 * Follows the context window of one model. A server that loads models on demand knows it only after the first answer. A
 * server that rejects a prompt may have loaded the model anew.
 */
export class WindowWatch {
  readonly #parts: WindowWatchParts;
  #window: ContextWindow | undefined;
  #server: FoundServer | undefined;

  constructor(parts: WindowWatchParts) {
    this.#parts = parts;
    this.#server = parts.server;
    this.#window = contextWindowOf(parts.model, parts);
  }

  get current(): ContextWindow | undefined {
    return this.#window;
  }

  /** The server as last probed. */
  get server(): FoundServer | undefined {
    return this.#server;
  }

  /**
   * Wraps `provider`. Probes the server before the second request when the window is unsure, and after a rejected prompt
   * or an answer without a word. Such an answer may be a rejection, too.
   */
  wrap(provider: ModelProvider): ModelProvider {
    const lookAgain = (signal: AbortSignal): Promise<void> => this.#look(signal);
    const isUnsure = (): boolean => !isSure(this.#window);
    let mayKnowMore = false;
    let hasLooked = false;
    return {
      async *stream(request, options) {
        if (mayKnowMore && !hasLooked && isUnsure()) {
          hasLooked = true;
          await lookAgain(options.signal);
        }
        for await (const event of provider.stream(request, options)) {
          if (event.type === 'response_end') mayKnowMore = true;
          const isRejected = event.type === 'error' && event.error.code === 'context_overflow';
          const isEmpty = event.type === 'response_end' && event.content.length === 0;
          if (isRejected || isEmpty) await lookAgain(options.signal);
          yield event;
        }
      },
    };
  }

  /** Takes over the result of another probe. */
  note(server: FoundServer): void {
    const { model, setting } = this.#parts;
    this.#server = server;
    this.#window = contextWindowOf(model, { setting, server }) ?? this.#window;
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { setting, look } = this.#parts;
    if (setting !== null || signal.aborted) return;
    const server = await look(signal);
    if (server) this.note(server);
  }
}

function isSure(window: ContextWindow | undefined): boolean {
  return window?.source === 'setting' || window?.source === 'loaded';
}
