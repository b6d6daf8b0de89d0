import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentConfiguration } from '../agent/configuration/chooseAgent';
import { ExamSummaries } from '../agent/servers/access/examSummaries';
import { openModelAccess, type ModelAccess } from '../agent/servers/access/modelAccess';
import { ModelSelection } from '../agent/servers/access/modelSelection';
import { ServerConnection } from '../agent/servers/access/serverConnection';
import type { DisposableStore } from '../util/disposable';
import { LaptopServer } from './laptop/laptopServer';
import { followLocalModel } from './localModel/followLocalModel';
import { WindowLocalModel } from './localModel/windowLocalModel';
import { AgentSelection } from './settings/agentSelection';
import { readLocalModelSettings } from './settings/localModelSettings';
import { readSettings } from './settings/settings';

/** The window's way to its model: server, model and settings, as the person set and chose them. */
export interface WindowModels {
  readonly access: ModelAccess;
  /** Settings, profile, agent and the person's choices together. */
  readonly settings: () => AgentConfiguration;
  readonly selection: ModelSelection;
  readonly agents: AgentSelection;
  readonly server: ServerConnection;
  readonly exams: ExamSummaries;
  /** The model that was set up on this machine. */
  readonly local: WindowLocalModel;
  /** The model server on the laptop, in a remote window. */
  readonly laptop: LaptopServer;
}

export interface WindowModelsParts {
  readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState' | 'globalStorageUri' | 'workspaceState'>;
  /** Disposes what is opened here when the window closes. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Sends nothing: the server is probed when it is first needed. */
export function openWindowModels({ context, owned, onInternalError }: WindowModelsParts): WindowModels {
  const memory = context.workspaceState;
  const laptop = new LaptopServer({ memory, setBaseUrl: () => settings().baseUrl });
  const storage = context.globalStorageUri.fsPath;
  const keeper = { file: path.join(__dirname, 'keeperProcess.js') };
  const local = owned.add(new WindowLocalModel({ storage, settings: readLocalModelSettings, keeper, onInternalError }));
  const { requests } = local;
  const access = openModelAccess({
    secrets: laptop.without(context.secrets),
    quirkStore: context.globalState,
    certificateAuthority: () => readSettings().settings.certificateAuthority,
    via: (direct) => laptop.through(direct),
    ownServer: { ...requests, keyAt: (origin) => (laptop.isOn ? undefined : requests.keyAt(origin)) },
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
  const exams = new ExamSummaries({ store: context.globalState, onInternalError });
  const server = owned.add(
    new ServerConnection({
      ...{ settings, selection, access, exams, onInternalError },
      isRemote: laptop.isRemote,
      ownServer: {
        find: () => (laptop.isOn ? laptop.find() : local.find()),
        start: (options) => (laptop.isOn ? laptop.find() : local.wake(options)),
      },
    }),
  );
  owned.add(followLocalModel(local, server));
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('openAgent.localModels')) local.settingsChanged().catch(onInternalError);
    }),
  );
  return { access, settings, selection, agents, server, exams, local, laptop };
}
