import type * as vscode from 'vscode';
import { openBridge } from './window/openBridge';

/** The bridge in a VS Code that runs in a browser. A server must allow requests of web pages there. */
export function activate(context: vscode.ExtensionContext): void {
  openBridge(context, (input, init) => fetch(input, init));
}
