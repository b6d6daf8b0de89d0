import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from '../../test/support/files/temporaryFolder';

export const SHOW_PANELS = 'Open Agent Bench: Show Panels';

/** What `activate()` took, with loading the extension, in milliseconds. */
export interface ActivationReport {
  readonly type: 'activation';
  readonly wallMs: number;
  /** Processor time of the thread that loads extensions. */
  readonly cpuMs: number;
}

/** A panel that is shown for the first time, in milliseconds since VS Code asked the extension for it. */
export interface PanelReport {
  readonly type: 'panel';
  readonly view: 'own' | 'empty';
  /** The page has sent its first message. */
  readonly readyMs: number;
  /** The extension has answered it. */
  readonly answeredMs: number;
  /** Processor time of the extension's thread until then. */
  readonly cpuMs: number;
}

export type MeasuringReport = ActivationReport | PanelReport;

/**
 * The built extension with another entry, which measures it inside the extension host and writes a line of JSON for each
 * measurement. Its command `SHOW_PANELS` shows an empty panel, which only says hello, and the real one.
 */
export async function writeMeasuringExtension(reportFile: string): Promise<TemporaryFolder> {
  const manifest = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as Manifest;
  const { contributes } = manifest;
  const measuring = {
    ...manifest,
    main: './measure.js',
    contributes: {
      ...contributes,
      commands: [
        ...contributes.commands,
        { command: 'openAgentBench.show', title: 'Show Panels', category: 'Open Agent Bench' },
      ],
      viewsContainers: {
        ...contributes.viewsContainers,
        activitybar: [
          ...contributes.viewsContainers.activitybar,
          { id: 'openAgentBench', title: 'Bench', icon: 'media/icon.svg' },
        ],
      },
      views: {
        ...contributes.views,
        openAgentBench: [{ type: 'webview', id: 'openAgentBench.empty', name: 'Empty', icon: 'media/icon.svg' }],
      },
    },
  };
  const folder = await createTemporaryFolder({
    'package.json': JSON.stringify(measuring),
    'measure.js': entry(reportFile),
  });
  // No link: VS Code gives each file the API of the extension in whose folder it really is.
  for (const name of ['dist/extension', 'dist/webview', 'media', 'package.nls.json']) {
    await cp(path.join(projectRoot, name), path.join(folder.path, name), { recursive: true });
  }
  return folder;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly object[];
    readonly viewsContainers: { readonly activitybar: readonly object[] };
    readonly views: object;
  };
}

/** Plain JavaScript, because VS Code loads it as it is. */
function entry(reportFile: string): string {
  return `'use strict';
const { appendFileSync } = require('node:fs');
// Of this thread alone where Node tells it.
const cpu = () => {
  const { user, system } = process.threadCpuUsage ? process.threadCpuUsage() : process.cpuUsage();
  return (user + system) / 1000;
};
const report = (line) => appendFileSync(${JSON.stringify(reportFile)}, JSON.stringify(line) + '\\n');

const start = { ms: performance.now(), cpu: cpu() };
const extension = require('./dist/extension/extension.js');
const loaded = { ms: performance.now() - start.ms, cpu: cpu() - start.cpu };
const vscode = require('vscode');

/** Tells when the page of a view says its first word, and when it gets its first answer. */
function measured(view, provider) {
  return {
    resolveWebviewView(webviewView, ...rest) {
      const shown = { ms: performance.now(), cpu: cpu() };
      const { webview } = webviewView;
      let readyMs;
      const post = webview.postMessage.bind(webview);
      webview.onDidReceiveMessage(() => (readyMs ??= performance.now() - shown.ms));
      webview.postMessage = (message) => {
        if (readyMs !== undefined) {
          delete webview.postMessage;
          const answeredMs = performance.now() - shown.ms;
          report({ type: 'panel', view, readyMs, answeredMs, cpuMs: cpu() - shown.cpu });
        }
        return post(message);
      };
      return provider.resolveWebviewView(webviewView, ...rest);
    },
  };
}

const empty = {
  resolveWebviewView({ webview }) {
    webview.options = { enableScripts: true };
    webview.onDidReceiveMessage(() => void webview.postMessage('hello'));
    webview.html = '<script>acquireVsCodeApi().postMessage("hello")</script>';
  },
};

exports.activate = (context) => {
  const register = vscode.window.registerWebviewViewProvider;
  context.subscriptions.push(
    register('openAgentBench.empty', measured('empty', empty)),
    vscode.commands.registerCommand('openAgentBench.show', async () => {
      await vscode.commands.executeCommand('openAgentBench.empty.focus');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await vscode.commands.executeCommand('openAgent.chat.focus');
    }),
  );
  vscode.window.registerWebviewViewProvider = (id, provider, options) => register(id, measured('own', provider), options);
  try {
    const begin = { ms: performance.now(), cpu: cpu() };
    const api = extension.activate(context);
    const end = { ms: performance.now(), cpu: cpu() };
    report({
      type: 'activation',
      wallMs: loaded.ms + end.ms - begin.ms,
      cpuMs: loaded.cpu + end.cpu - begin.cpu,
    });
    return api;
  } finally {
    vscode.window.registerWebviewViewProvider = register;
  }
};
exports.deactivate = () => extension.deactivate();
`;
}
