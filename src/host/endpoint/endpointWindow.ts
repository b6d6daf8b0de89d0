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
    const other = 'Use Any Free Port';
    const settings = 'Open Settings';
    const actions = started.port === undefined ? [settings] : [other, settings];
    const picked = await vscode.window.showErrorMessage(`The agent is not served. ${started.problem}`, ...actions);
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
      ...(waiting === undefined ? [] : [{ label: '$(question) Show Question', run: show }]),
      ...(this.actions ?? []),
      { label: '$(output) Show Log', run: () => Promise.resolve(this.#parts.showLog()) },
    ];
    const picked = await vscode.window.showQuickPick(actions, { title: this.#describe(baseUrl) });
    await picked?.run();
  }

  /** The actions on the endpoint that is served. `undefined`: none is. */
  get actions(): readonly EndpointAction[] | undefined {
    const { baseUrl } = this.#parts.endpoint;
    if (baseUrl === undefined) return undefined;
    return [
      { label: '$(copy) Copy Address', description: baseUrl, run: () => copy(baseUrl, 'The address') },
      { label: '$(key) Copy Token', description: 'for programs that may use the agent', run: () => this.#copyToken() },
      { label: '$(sync) Replace Token…', run: () => this.replaceToken() },
      { label: '$(debug-stop) Stop Serving', run: () => this.stop() },
    ];
  }

  async replaceToken(): Promise<void> {
    const replace = 'Replace Token';
    const detail = 'Programs with the current token cannot use the agent of this workspace until they get the new one.';
    const message = "Replace the token of this workspace's endpoint?";
    if ((await vscode.window.showWarningMessage(message, { modal: true, detail }, replace)) !== replace) return;
    await this.#parts.endpoint.replaceToken();
    await this.#offer('The token was replaced.', ['Copy Token']);
  }

  dispose(): void {
    this.#owned.dispose();
    void vscode.commands.executeCommand('setContext', 'openAgent.isServing', false);
  }

  /** Shows a message with actions, until the person closes it. */
  async #offer(
    message: string,
    actions: readonly string[] = ['Copy Address', 'Copy Token', 'Stop Serving'],
  ): Promise<void> {
    const picked = await vscode.window.showInformationMessage(message, ...actions);
    const { baseUrl } = this.#parts.endpoint;
    if (picked === 'Copy Address' && baseUrl !== undefined) await copy(baseUrl, 'The address');
    else if (picked === 'Copy Token') await this.#copyToken();
    else if (picked === 'Stop Serving') await this.stop();
  }

  #describe(baseUrl: string): string {
    const { remoteName } = vscode.env;
    const where = remoteName === undefined ? '' : ' of the remote machine';
    return `Serving this workspace's agent at ${baseUrl}${where}`;
  }

  async #copyToken(): Promise<void> {
    await copy(await this.#parts.endpoint.token(), 'The token');
  }

  #show(): void {
    const { baseUrl } = this.#parts.endpoint;
    void vscode.commands.executeCommand('setContext', 'openAgent.isServing', baseUrl !== undefined);
    this.#parts.showServing(baseUrl);
  }

  async #recheck(): Promise<void> {
    if (!(await this.#parts.endpoint.recheck())) return;
    await vscode.window.showWarningMessage('The agent is no longer served, because a folder was closed.');
  }
}

async function copy(text: string, what: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`${what} was copied.`, 3_000);
}
