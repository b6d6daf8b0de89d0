import * as vscode from 'vscode';
import type { AttentionSettings } from '../attention/attention';

/** Reads where the person wants to see that something waits. */
export function readAttentionSettings(): AttentionSettings {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return {
    badge: configuration.get('notifications.badge') !== false,
    statusBar: configuration.get('notifications.statusBar') !== false,
    questions: configuration.get('notifications.questions') !== false,
    finished: configuration.get('notifications.finished') !== false,
  };
}
