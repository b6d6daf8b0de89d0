import './translations';
import * as vscode from 'vscode';
import { systemTimer } from '../../util/timer';
import { Bridge } from '../bridge';
import { Consents } from '../consents';
import { findServers } from '../findServers';
import { bridgeCommand } from '../messages';
import { askForConsent, changeKey, chooseServer, keyOf } from './laptopDialogs';
import { remoteOfWindow } from './remoteOfWindow';
import { UseIndicator } from './useIndicator';

const revokeCommand = 'openAgentBridge.revoke';

/** Composes the bridge on the laptop. Sends nothing before a remote asks and the person has agreed. */
export function openBridge(context: vscode.ExtensionContext, send: typeof fetch): void {
  const { globalState: memory, secrets, subscriptions } = context;
  const consents = new Consents({ remote: remoteOfWindow, ask: askForConsent, memory, now: Date.now });
  const indicator = new UseIndicator(revokeCommand);
  const show = (): void => indicator.show(bridge.openCount, remoteOfWindow().name);
  let known = 0;
  const bridge: Bridge = new Bridge({
    consents,
    fetch: send,
    keyOf: (origin) => keyOf(origin, secrets),
    chooseServer: () => chooseServer((signal) => findServers(send, signal)),
    changeKey: (origin) => changeKey(origin, secrets),
    isRemote: () => vscode.env.remoteName !== undefined,
    newId: () => crypto.randomUUID(),
    setTimer: systemTimer,
    onChange(origin) {
      if (bridge.openCount > known) indicator.noteRequest(origin);
      known = bridge.openCount;
      show();
    },
  });

  const revoke = async (): Promise<void> => {
    const used = indicator.origins;
    const all = [...new Set([...used, ...consents.origins])];
    if (all.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This window uses no model server of your laptop.'));
      return;
    }
    const picked = await vscode.window.showQuickPick(
      all.map((label) => ({
        label,
        description: used.includes(label) ? vscode.l10n.t('used in this window') : vscode.l10n.t('allowed'),
      })),
      {
        title: vscode.l10n.t('What {0} May Use on Your Laptop', remoteOfWindow().name),
        placeHolder: vscode.l10n.t('Choose the server that the remote may no longer use'),
      },
    );
    if (!picked) return;
    await bridge.revoke(picked.label);
    indicator.forget(picked.label);
    show();
    void vscode.window.showInformationMessage(vscode.l10n.t('The remote can no longer use {0}.', picked.label));
  };

  subscriptions.push(
    bridge,
    indicator,
    vscode.commands.registerCommand(bridgeCommand, (message: unknown) => bridge.answer(message)),
    vscode.commands.registerCommand(revokeCommand, revoke),
  );
}
