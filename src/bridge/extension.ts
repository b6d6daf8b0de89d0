import type * as vscode from 'vscode';
import { createFetch } from '../sdk/model/http/httpTransport';
import { openBridge } from './window/openBridge';

/** The bridge in a desktop VS Code. */
export function activate(context: vscode.ExtensionContext): void {
  openBridge(context, createFetch());
}
