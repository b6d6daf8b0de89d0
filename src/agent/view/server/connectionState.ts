import type { ExamSummary } from './examGrade';

/** The state of the model server, as the last look at it found. */
export type ConnectionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'connecting'; readonly baseUrl: string }
  | {
      readonly kind: 'connected';
      readonly baseUrl: string;
      /** `llama.cpp`, `Ollama`, …; `OpenAI-compatible` when unknown. */
      readonly serverName: string;
      /** False when the server was found on a usual port and is not in the settings. */
      readonly isConfigured: boolean;
      /** The server loads and unloads models on request. */
      readonly canLoad?: boolean | undefined;
    }
  /** The settings name no server, and none answered on the usual ports. */
  | {
      readonly kind: 'not_found';
      readonly triedPorts: readonly number[];
      /** The window is connected to a remote machine, where the server was looked for. */
      readonly isRemote?: boolean | undefined;
    }
  | { readonly kind: 'no_models'; readonly baseUrl: string }
  | {
      readonly kind: 'failed';
      readonly baseUrl: string;
      readonly message: string;
      readonly isUnauthorized: boolean;
      /** It is there and loads its model. Without `baseUrl`: it is the server of this machine, which is starting. */
      readonly isLoading?: boolean | undefined;
      /** It is the server of this machine, and does not run. A request for an answer starts it. */
      readonly isResting?: boolean | undefined;
      /** The model that the server of this machine serves once it runs. */
      readonly model?: string | undefined;
    };

/** A model of the server, as the panel shows it. */
export interface ModelSummary {
  readonly id: string;
  /** In tokens. Absent: not known yet. */
  readonly contextWindow?: number | undefined;
  /** Where the number comes from. See `ContextWindow`. */
  readonly windowSource?: 'setting' | 'loaded' | 'advertised' | 'assumed' | undefined;
  /** Absent when the server does not say. The same holds for the next two. */
  readonly isLoaded?: boolean | undefined;
  readonly hasVision?: boolean | undefined;
  readonly hasTools?: boolean | undefined;
  /** How the person wants tools to be called. Absent: `auto`. */
  readonly toolCalls?: 'native' | 'text' | undefined;
  /** Request features that the server rejects for this model, each in a few words. Absent: none. */
  readonly learned?: readonly string[] | undefined;
  /** The result of its exam. Absent: it was not examined. */
  readonly exam?: ExamSummary | undefined;
}
