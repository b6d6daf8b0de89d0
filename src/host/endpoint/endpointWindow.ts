import * as vscode from 'vscode';
import type { ServedSessions } from '../../agent/session/servedSessions';
import { DisposableStore } from '../../util/disposable';
import type { WorkspaceEndpoint } from './workspaceEndpoint';

export interface EndpointWindowParts {
  readonly endpoint: WorkspaceEndpoint;
  readonly served: Pick<ServedSessions, 'waiting'>;
  /** Shows the address in the status bar. `undefined`: nothing is served. */
  readonly showServing: (baseUrl: string | undefined) => void;
  readonly showSession: (sessionId: string) => Promise<void>;
  readonly showLog: () => void;
  readonly onInternalError: (error: unknown) => void;
}

/** An entry of a menu. */
export interface EndpointAction {
  readonly label: string;
  readonly description?: string;
  readonly run: () => Promise<void>;
}

/** Shows the endpoint in the window: its address in the status bar, and its actions. */
export class EndpointWindow {
  readonly #parts: EndpointWindowParts;
  readonly #owned = new DisposableStore();

  constructor(parts: EndpointWindowParts) {
    this.#parts = parts;
    const { endpoint, onInternalError } = parts;
    this.#owned.add(endpoint.onChange(() => this.#show()));
    const recheck = (): void => void this.#recheck().catch(onInternalError);
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(recheck));
  }

  async start(port?: number): Promise<void> {
    const { endpoint } = this.#parts;
    const started = await endpoint.start(port);
    if (started.ok) return this.#offer(this.#describe(started.baseUrl));
    const other = vscode.l10n.t('Use Any Free Port');
    const settings = vscode.l10n.t('Open Settings');
    const actions = started.port === undefined ? [settings] : [other, settings];
    const picked = await vscode.window.showErrorMessage(
      vscode.l10n.t('The agent is not served. {0}', started.problem),
      ...actions,
    );
    if (picked === other) return this.start(0);
    if (picked === settings)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'openAgent.endpoint');
  }

  async stop(): Promise<void> {
    await this.#parts.endpoint.stop();
  }

  /** Lets the person choose an action on the endpoint. Serves first if nothing is served. */
  async chooseAction(): Promise<void> {
    const { endpoint, served, showSession } = this.#parts;
    const { baseUrl } = endpoint;
    if (baseUrl === undefined) return this.start();
    const [waiting] = served.waiting;
    const show = async (): Promise<void> => {
      if (waiting === undefined) return;
      await showSession(waiting);
    };
    const actions: readonly EndpointAction[] = [
      ...(waiting === undefined ? [] : [{ label: `$(question) ${vscode.l10n.t('Show Question')}`, run: show }]),
      ...(this.actions ?? []),
      { label: `$(output) ${vscode.l10n.t('Show Log')}`, run: () => Promise.resolve(this.#parts.showLog()) },
    ];
    const picked = await vscode.window.showQuickPick(actions, { title: this.#describe(baseUrl) });
    await picked?.run();
  }

  /** The actions on the endpoint that is served. `undefined`: none is. */
  get actions(): readonly EndpointAction[] | undefined {
    const { baseUrl } = this.#parts.endpoint;
    if (baseUrl === undefined) return undefined;
    return [
      {
        label: `$(copy) ${vscode.l10n.t('Copy Address')}`,
        description: baseUrl,
        run: () => copy(baseUrl, vscode.l10n.t('The address was copied.')),
      },
      {
        label: `$(key) ${vscode.l10n.t('Copy Token')}`,
        description: vscode.l10n.t('for programs that may use the agent'),
        run: () => this.#copyToken(),
      },
      { label: `$(sync) ${vscode.l10n.t('Replace Token…')}`, run: () => this.replaceToken() },
      { label: `$(debug-stop) ${vscode.l10n.t('Stop Serving')}`, run: () => this.stop() },
    ];
  }

  async replaceToken(): Promise<void> {
    const replace = vscode.l10n.t('Replace Token');
    const detail = vscode.l10n.t(
      'Programs with the current token cannot use the agent of this workspace until they get the new one.',
    );
    const message = vscode.l10n.t("Replace the token of this workspace's endpoint?");
    if ((await vscode.window.showWarningMessage(message, { modal: true, detail }, replace)) !== replace) return;
    await this.#parts.endpoint.replaceToken();
    await this.#offer(vscode.l10n.t('The token was replaced.'), [vscode.l10n.t('Copy Token')]);
  }

  dispose(): void {
    this.#owned.dispose();
    void vscode.commands.executeCommand('setContext', 'openAgent.isServing', false);
  }

  /** Shows a message with actions, until the person closes it. */
  async #offer(
    message: string,
    actions: readonly string[] = [
      vscode.l10n.t('Copy Address'),
      vscode.l10n.t('Copy Token'),
      vscode.l10n.t('Stop Serving'),
    ],
  ): Promise<void> {
    const picked = await vscode.window.showInformationMessage(message, ...actions);
    const { baseUrl } = this.#parts.endpoint;
    if (picked === vscode.l10n.t('Copy Address') && baseUrl !== undefined)
      await copy(baseUrl, vscode.l10n.t('The address was copied.'));
    else if (picked === vscode.l10n.t('Copy Token')) await this.#copyToken();
    else if (picked === vscode.l10n.t('Stop Serving')) await this.stop();
  }

  #describe(baseUrl: string): string {
    const { remoteName } = vscode.env;
    return remoteName === undefined
      ? vscode.l10n.t("Serving this workspace's agent at {0}", baseUrl)
      : vscode.l10n.t("Serving this workspace's agent at {0} of the remote machine", baseUrl);
  }

  async #copyToken(): Promise<void> {
    await copy(await this.#parts.endpoint.token(), vscode.l10n.t('The token was copied.'));
  }

  #show(): void {
    const { baseUrl } = this.#parts.endpoint;
    void vscode.commands.executeCommand('setContext', 'openAgent.isServing', baseUrl !== undefined);
    this.#parts.showServing(baseUrl);
  }

  async #recheck(): Promise<void> {
    if (!(await this.#parts.endpoint.recheck())) return;
    await vscode.window.showWarningMessage(
      vscode.l10n.t('The agent is no longer served, because a folder was closed.'),
    );
  }
}

async function copy(text: string, message: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(message, 3_000);
}
