import * as vscode from 'vscode';

export interface LocalModelSettings {
  /** Empty: VS Code's global storage. */
  readonly folder: string;
  /** Empty: the catalogue that ships. */
  readonly catalogue: string;
  /** Empty: look for llama-server. */
  readonly program: string;
  readonly idleMinutes: number;
}

/** Reads the settings of the model on this machine. They have application scope: no workspace can set them. */
export function readLocalModelSettings(): LocalModelSettings {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const minutes: unknown = configuration.get('localModels.idleMinutes');
  return {
    folder: textOf(configuration.get('localModels.folder')),
    catalogue: textOf(configuration.get('localModels.catalogue')),
    program: textOf(configuration.get('localModels.program')),
    idleMinutes: typeof minutes === 'number' && minutes >= 0 ? minutes : 30,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
