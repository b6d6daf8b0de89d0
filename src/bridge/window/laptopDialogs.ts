import * as vscode from 'vscode';
import type { ConsentAnswer, ConsentQuestion } from '../consents';
import { isOrigin } from '../allowedRequests';

/** Asks whether the remote may use a server. Closing the dialog refuses. */
export async function askForConsent({ origin, remote, canRemember }: ConsentQuestion): Promise<ConsentAnswer> {
  const always = vscode.l10n.t('Always Allow');
  const once = vscode.l10n.t('Allow in This Window');
  // First, so that it is the default: the remote chooses the moment, and the person may be typing.
  const refuse = vscode.l10n.t('Do Not Allow');
  const answer = await vscode.window.showWarningMessage(
    isOnLaptop(origin)
      ? vscode.l10n.t('Let {0} use the model server {1} on your laptop?', remote, origin)
      : vscode.l10n.t('Let {0} use the model server {1} that your laptop can reach?', remote, origin),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Every extension in this window, and whoever controls the remote, can then send prompts to this server, read its answers and use its computing time, also with a key that you enter for it. They reach no other server and nothing else on your laptop. The status bar shows the use; click it to take this back.',
      ),
    },
    ...(canRemember ? [refuse, once, always] : [refuse, once]),
  );
  if (answer === always) return 'always';
  return answer === once ? 'window' : 'no';
}

/** `localhost` and the loopback addresses, as `URL` writes them. */
function isOnLaptop(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(origin);
}

/** Offers the model servers that answer on the laptop, and any other address. */
export async function chooseServer(
  find: (signal: AbortSignal) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const found = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking for model servers on your laptop'),
    },
    () => find(AbortSignal.timeout(FIND_MS)),
  );
  const other = vscode.l10n.t('Another Address…');
  const none = vscode.l10n.t('No server answers on the usual ports of your laptop');
  const items: readonly vscode.QuickPickItem[] = [
    ...found.map((label) => ({ label, description: vscode.l10n.t('answers on your laptop') })),
    { label: other, ...(found.length === 0 && { description: none }) },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Model Server on Your Laptop'),
    placeHolder: vscode.l10n.t('The remote gets nothing before you have confirmed the address'),
    ignoreFocusOut: true,
  });
  if (picked?.label !== other) return picked?.label;
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the Model Server'),
    prompt: vscode.l10n.t('As your laptop reaches it: scheme, host and port.'),
    value: 'http://localhost:8080',
    ignoreFocusOut: true,
    validateInput: (text) =>
      typedOrigin(text) === undefined ? vscode.l10n.t('Write an address such as http://localhost:8080.') : undefined,
  });
  return typed === undefined ? undefined : typedOrigin(typed);
}

const FIND_MS = 2_000;

/** People copy the address with its path. */
function typedOrigin(text: string): string | undefined {
  const address = text.trim().replace(/\/(?:v1\/?)?$/, '');
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return pathname === '/' && isOrigin(origin) && !address.includes('@') ? origin : undefined;
}

/** Keeps a key in the laptop's secret storage. Resolves with whether it changed. */
export async function changeKey(origin: string, secrets: vscode.SecretStorage): Promise<boolean> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('API Key for {0}', origin),
    prompt: vscode.l10n.t(
      'Kept in the secret storage of your laptop, and sent to this server only. The remote does not see it. Leave empty to remove the key.',
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[\x21-\x7e]*$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('A key has no spaces and no characters beyond ASCII.'),
  });
  if (typed === undefined) return false;
  if (typed.trim() === '') await secrets.delete(secretName(origin));
  else await secrets.store(secretName(origin), typed.trim());
  return true;
}

export async function keyOf(origin: string, secrets: vscode.SecretStorage): Promise<string | undefined> {
  return secrets.get(secretName(origin));
}

function secretName(origin: string): string {
  return `apiKey:${origin}`;
}
