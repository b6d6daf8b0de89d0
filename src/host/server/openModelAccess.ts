import type * as vscode from 'vscode';
import type { AgentConfiguration } from '../../agent/configuration/chooseAgent';
import { CacheWarmer } from '../../agent/servers/model/cacheWarmer';
import { KeyStore } from '../../agent/servers/keys';
import { LearnedQuirks } from '../../agent/servers/learnedQuirks';
import { SlotQueue } from '../../agent/servers/model/slotQueue';
import { createFetch } from '../../sdk/model/http/httpTransport';
import type { DisposableStore } from '../../util/disposable';
import { AgentSelection } from '../settings/agentSelection';
import { readSettings } from '../settings/settings';
import { ModelSelection } from './modelSelection';
import { ServerConnection } from './serverConnection';
import { systemTimer } from '../../util/timer';

/** How the window reaches its model: where, with which key and settings, and what is known of the server. */
export interface ModelAccess {
  /** Settings, profile, agent and the person's choices, put together. */
  readonly settings: () => AgentConfiguration;
  readonly selection: ModelSelection;
  readonly agents: AgentSelection;
  readonly server: ServerConnection;
  readonly keys: KeyStore;
  readonly quirks: LearnedQuirks;
  readonly slots: SlotQueue;
  readonly warmer: CacheWarmer;
  readonly fetch: typeof fetch;
}

export interface ModelAccessParts {
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState' | 'workspaceState'>;
  /** Gets what has to be disposed of with the window. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Composes the way to the model. Nothing is asked of a server yet. */
export function openModelAccess({ context, owned, onInternalError }: ModelAccessParts): ModelAccess {
  const memory = context.workspaceState;
  const keys = new KeyStore({ secrets: context.secrets });
  const quirks = new LearnedQuirks({ store: context.globalState, now: Date.now, onInternalError });
  const slots = new SlotQueue();
  const warmer = owned.add(new CacheWarmer({ slots, setTimer: systemTimer }));
  const fetch = createFetch({ ca: () => readSettings().settings.certificateAuthority });
  const selection = new ModelSelection({ memory, setting: () => settings().model });
  const agents: AgentSelection = owned.add(
    new AgentSelection({
      memory,
      settings: () => readSettings().settings,
      forgetModel: () => selection.forget(),
      onInternalError,
    }),
  );
  const settings = () => agents.current.configuration;
  const server = owned.add(
    new ServerConnection({
      settings,
      selection,
      keys,
      fetch,
      slots,
      schedule: systemTimer,
      learned: (baseUrl, model) => quirks.describe(baseUrl, model),
      onInternalError,
    }),
  );
  owned.add(quirks.onChange(() => server.reconsider()));
  return { settings, selection, agents, server, keys, quirks, slots, warmer, fetch };
}
