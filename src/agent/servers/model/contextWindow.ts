import type { ModelProvider } from '../../../sdk/model/modelProvider';
import type { ServerModel } from '../probe/serverIdentity';
import type { FoundServer } from '../probe/serverProbe';

export interface ContextWindow {
  readonly tokens: number;
  /**
   * Where the number is from, the surest first: the person's setting · what the server has loaded · what it says the model
   * could take · an assumption, because nobody says.
   */
  readonly source: 'setting' | 'loaded' | 'advertised' | 'assumed';
}

/** What Ollama loads a model with unless it is told otherwise, whatever the model could take. Source: its FAQ. */
const OLLAMA_DEFAULT_TOKENS = 4_096;

/** For a server that does not say: enough to work with, and most have loaded that much. One that refuses names its limit. */
const ASSUMED_TOKENS = 16_384;

/** How much a model can hold; `undefined` before anything is known of its server. */
export function contextWindowOf(
  model: string,
  known: { readonly setting: number | null; readonly server: FoundServer | undefined },
): ContextWindow | undefined {
  const { setting, server } = known;
  if (setting !== null) return { tokens: setting, source: 'setting' };
  const listed = server && entryOf(server, model);
  const { contextWindow: tokens, contextSource: source } = listed ?? {};
  if (tokens !== undefined && source === 'loaded') return { tokens, source };
  // It drops the start of what is too long, so too small a guess does less harm than too large a one.
  if (server?.kind === 'ollama') {
    return { tokens: Math.min(tokens ?? OLLAMA_DEFAULT_TOKENS, OLLAMA_DEFAULT_TOKENS), source: 'assumed' };
  }
  if (tokens !== undefined) return { tokens, source: 'advertised' };
  return server && { tokens: ASSUMED_TOKENS, source: 'assumed' };
}

function entryOf({ kind, models, canLoad }: FoundServer, model: string): ServerModel | undefined {
  const listed = models.find(({ id }) => id === model || id === `${model}:latest`);
  // With one model they answer by that one, whatever name is asked for.
  const hasOnlyOne = models.length === 1 && canLoad !== true && (kind === 'llama.cpp' || kind === 'koboldcpp');
  return listed ?? (hasOnlyOne ? models[0] : undefined);
}

export interface WindowWatchParts {
  readonly model: string;
  readonly setting: number | null;
  /** What is known before the first request. */
  readonly server: FoundServer | undefined;
  /** Asks the server what it has loaded. Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<FoundServer | undefined>;
}

/**
 * Follows the context window of one model: a server that loads models on demand can say only after the first answer, and
 * one that refuses a prompt may have loaded the model anew.
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

  /** What the newest look found. */
  get server(): FoundServer | undefined {
    return this.#server;
  }

  /** `provider`, with the server looked at when there is reason to: before the second request, and after a refusal. */
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
          if (event.type === 'error' && event.error.code === 'context_overflow') await lookAgain(options.signal);
          yield event;
        }
      },
    };
  }

  /** Takes in what somebody else has found out about the server. */
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
