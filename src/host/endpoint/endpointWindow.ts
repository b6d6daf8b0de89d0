import * as vscode from 'vscode';
import type { ServedSessions } from '../../agent/session/servedSessions';
import { DisposableStore } from '../../util/disposable';
import { showPanel } from '../panel/showPanel';
import type { WorkspaceEndpoint } from './workspaceEndpoint';

export interface EndpointWindowParts {
  readonly endpoint: WorkspaceEndpoint;
  readonly served: Pick<ServedSessions, 'waiting' | 'onWaiting'>;
  /** Whether the panel shows the session. */
  readonly isShown: (sessionId: string) => boolean;
  readonly showSession: (sessionId: string) => Promise<void>;
  readonly showLog: () => void;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Shows the endpoint in the window: status bar item, actions, and notifications about sessions that wait for an answer.
 */
export class EndpointWindow {
  readonly #parts: EndpointWindowParts;
  readonly #owned = new DisposableStore();
  readonly #status: vscode.StatusBarItem;
  /** The sessions with an open notification. */
  readonly #told = new Set<string>();

  constructor(parts: EndpointWindowParts) {
    this.#parts = parts;
    const { endpoint, served, onInternalError } = parts;
    this.#status = this.#owned.add(
      vscode.window.createStatusBarItem('openAgent.endpoint', vscode.StatusBarAlignment.Right, 100),
    );
    this.#status.name = 'Open Agent: Endpoint';
    this.#status.command = 'openAgent.endpointActions';
    this.#owned.add(endpoint.onChange(() => this.#show()));
    this.#owned.add(
      served.onWaiting((sessionId) => {
        this.#show();
        if (served.waiting.includes(sessionId)) this.#tell(sessionId).catch(onInternalError);
      }),
    );
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

  /** Lets the person choose an action on the endpoint. */
  async chooseAction(): Promise<void> {
    const { endpoint, served, showLog, showSession } = this.#parts;
    const { baseUrl } = endpoint;
    if (baseUrl === undefined) return this.start();
    const [waiting] = served.waiting;
    const show = async (): Promise<void> => {
      if (waiting === undefined) return;
      await showSession(waiting);
      await showPanel();
    };
    const actions = [
      ...(waiting === undefined ? [] : [{ label: '$(question) Show the Open Question', run: show }]),
      { label: '$(copy) Copy Address', description: baseUrl, run: () => copy(baseUrl, 'The address') },
      { label: '$(key) Copy Token', description: 'for programs that may use the agent', run: () => this.#copyToken() },
      { label: '$(output) Show Log', run: () => Promise.resolve(showLog()) },
      { label: '$(sync) Replace Token…', run: () => this.replaceToken() },
      { label: '$(debug-stop) Stop Serving', run: () => this.stop() },
    ];
    const picked = await vscode.window.showQuickPick(actions, { title: this.#describe(baseUrl) });
    await picked?.run();
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
    const { endpoint, served } = this.#parts;
    const { baseUrl } = endpoint;
    void vscode.commands.executeCommand('setContext', 'openAgent.isServing', baseUrl !== undefined);
    if (baseUrl === undefined) return this.#status.hide();
    const count = served.waiting.length;
    const waits = count === 0 ? '' : ` (${count === 1 ? '1 waits' : `${count} wait`} for you)`;
    this.#status.text = `$(broadcast) ${new URL(baseUrl).host}${waits}`;
    this.#status.tooltip = `${this.#describe(baseUrl)}. Click for address, token and log.`;
    this.#status.backgroundColor = count === 0 ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#status.show();
  }

  /** Quotes no words of the program: a notification turns link syntax into links. */
  async #tell(sessionId: string): Promise<void> {
    const { isShown, showSession } = this.#parts;
    if (isShown(sessionId) || this.#told.has(sessionId)) return;
    this.#told.add(sessionId);
    try {
      const message = 'A program that uses this workspace through the endpoint waits for your decision.';
      if ((await vscode.window.showInformationMessage(message, 'Show')) !== 'Show') return;
    } finally {
      this.#told.delete(sessionId);
    }
    await showSession(sessionId);
    await showPanel();
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
