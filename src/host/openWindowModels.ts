import type * as vscode from 'vscode';
import type { AgentConfiguration } from '../agent/configuration/chooseAgent';
import { openModelAccess, type ModelAccess } from '../agent/servers/access/modelAccess';
import { ModelSelection } from '../agent/servers/access/modelSelection';
import { ServerConnection } from '../agent/servers/access/serverConnection';
import type { DisposableStore } from '../util/disposable';
import { AgentSelection } from './settings/agentSelection';
import { readSettings } from './settings/settings';

/** The window's way to its model: server, model and settings, as the person set and chose them. */
export interface WindowModels {
  readonly access: ModelAccess;
  /** Settings, profile, agent and the person's choices together. */
  readonly settings: () => AgentConfiguration;
  readonly selection: ModelSelection;
  readonly agents: AgentSelection;
  readonly server: ServerConnection;
}

export interface WindowModelsParts {
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState' | 'workspaceState'>;
  /** Disposes what is opened here when the window closes. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Sends nothing: the server is probed when it is first needed. */
export function openWindowModels({ context, owned, onInternalError }: WindowModelsParts): WindowModels {
  const memory = context.workspaceState;
  const access = openModelAccess({
    secrets: context.secrets,
    quirkStore: context.globalState,
    certificateAuthority: () => readSettings().settings.certificateAuthority,
    onInternalError,
  });
  owned.add(access.warmer);
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
  const server = owned.add(new ServerConnection({ settings, selection, access, onInternalError }));
  return { access, settings, selection, agents, server };
}
