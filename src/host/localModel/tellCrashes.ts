import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable';
import type { OutputLog } from '../outputLog';
import type { WindowLocalModel } from './windowLocalModel';

/** Tells that the model server crashed and was started again, with its last output in the log. */
export function tellCrashes(
  local: Pick<WindowLocalModel, 'status' | 'onChange'>,
  log: Pick<OutputLog, 'warn' | 'show'>,
): Disposable {
  let was = local.status;
  return local.onChange(() => {
    const before = was;
    was = local.status;
    // A window that has just connected learns of a crash that others were told of.
    if (was.kind !== 'ready' || was.crashed === undefined || before.kind === 'idle') return;
    // The keeper tells a status again when somebody asks.
    if (before.kind === 'ready' && before.crashed === was.crashed) return;
    log.warn(`The model server crashed and was started again. Its last output:\n${was.crashed}`);
    const show = vscode.l10n.t('Show Last Output');
    void vscode.window
      .showWarningMessage(vscode.l10n.t('The model on this machine crashed, and was started again.'), show)
      .then((answer) => answer === show && log.show());
  });
}
