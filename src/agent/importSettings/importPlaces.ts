import path from 'node:path';
import { readClineProviders, readClineState } from './clineState';
import { readContinueJson, readContinueServers, readContinueYaml } from './continueConfig';
import type { ImportItem, ImportPlace } from './importItem';
import { readMcpSettings, readPortableMcp, readVsCodeMcp } from './mcpFile';
import { readModeFile } from './modeItems';
import { readRooExport } from './rooSettings';
import { readModeRules, readRuleFile } from './ruleItem';

/** Where to look. All paths are absolute. */
export interface ImportMachine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder `User` of this VS Code. */
  readonly userFolder: string;
  /** Folders of a trusted workspace. */
  readonly workspaceFolders: readonly string[];
}

/** A file, or the files of a folder, that may be there. */
export interface KnownPlace {
  readonly from: string;
  readonly path: string;
  /** Absent: `path` is a file. Otherwise its files with such names are read. */
  readonly names?: RegExp | undefined;
  /** The folder of the workspace that it belongs to. */
  readonly folder?: string | undefined;
  /** Another file that is read with it. */
  readonly beside?: string | undefined;
  readonly read: (text: string, place: ImportPlace, beside?: string) => readonly ImportItem[];
}

const RULES = /\.(?:md|txt)$/i;
const BLOCKS = /\.(?:ya?ml|json)$/i;
const YAML = /\.ya?ml$/i;
/** Roo Code and its continuation, which keep the same files. */
const rooExtensions = { 'Roo Code': 'rooveterinaryinc.roo-cline', 'Zoo Code': 'zoocodeorganization.zoo-code' };

/** The places of the settings of other programs, by their documentation. */
export function importPlaces(machine: ImportMachine): readonly KnownPlace[] {
  const { home, workspaceFolders } = machine;
  return [
    ...continuePlaces(path.join(home, '.continue')),
    { from: 'Continue', path: path.join(home, '.continue', 'config.yaml'), read: readContinueYaml },
    { from: 'Continue', path: path.join(home, '.continue', 'config.json'), read: readContinueJson },
    ...clinePlaces(home),
    ...rooRules(path.join(home, '.roo')),
    { from: 'VS Code', path: path.join(home, '.copilot', 'mcp-config.json'), read: readPortableMcp },
    ...['Downloads', 'Documents', '.'].map((folder) => ({
      ...{ from: 'Roo Code', path: path.join(home, folder, 'roo-code-settings.json'), read: readRooExport },
    })),
    ...userFolders(machine).flatMap(editorPlaces),
    ...workspaceFolders.flatMap(workspacePlaces),
  ];
}

function continuePlaces(folder: string): readonly KnownPlace[] {
  return [
    { from: 'Continue', path: path.join(folder, 'models'), names: YAML, read: readContinueYaml },
    { from: 'Continue', path: path.join(folder, 'mcpServers'), names: BLOCKS, read: readContinueServers },
    { from: 'Continue', path: path.join(folder, 'rules'), names: RULES, read: readRuleFile },
  ];
}

function clinePlaces(home: string): readonly KnownPlace[] {
  const data = path.join(home, '.cline', 'data');
  return [
    {
      ...{ from: 'Cline', path: path.join(data, 'globalState.json') },
      ...{ beside: path.join(data, 'secrets.json'), read: readClineState },
    },
    { from: 'Cline', path: path.join(data, 'settings', 'providers.json'), read: readClineProviders },
    { from: 'Cline', path: path.join(data, 'settings', 'cline_mcp_settings.json'), read: readMcpSettings },
    ...[path.join('Documents', 'Cline', 'Rules'), path.join('Cline', 'Rules'), path.join('.cline', 'rules')].map(
      (folder) => ({ from: 'Cline', path: path.join(home, folder), names: RULES, read: readRuleFile }),
    ),
  ];
}

/** What extensions and VS Code itself keep in a folder `User`. */
function editorPlaces(user: string): readonly KnownPlace[] {
  const storage = path.join(user, 'globalStorage');
  const cline = path.join(storage, 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json');
  const roo = Object.entries(rooExtensions).flatMap(([from, id]): readonly KnownPlace[] => {
    const settings = path.join(storage, id, 'settings');
    return [
      { from, path: path.join(settings, 'mcp_settings.json'), read: readMcpSettings },
      { from, path: path.join(settings, 'custom_modes.yaml'), read: readModeFile },
      { from, path: path.join(settings, 'custom_modes.json'), read: readModeFile },
    ];
  });
  return [
    { from: 'Cline', path: cline, read: readMcpSettings },
    ...roo,
    { from: 'VS Code', path: path.join(user, 'mcp.json'), read: readVsCodeMcp },
  ];
}

function workspacePlaces(folder: string): readonly KnownPlace[] {
  const here = (from: string, file: string, read: KnownPlace['read'], names?: RegExp): KnownPlace => ({
    ...{ from, path: path.join(folder, file), folder, read, names },
  });
  return [
    ...continuePlaces(path.join(folder, '.continue')).map((place) => ({ ...place, folder })),
    here('Cline', '.clinerules', readRuleFile),
    here('Cline', '.clinerules', readRuleFile, RULES),
    here('Roo Code', '.roomodes', readModeFile),
    here('Roo Code', path.join('.roo', 'mcp.json'), readMcpSettings),
    ...rooRules(path.join(folder, '.roo')).map((place) => ({ ...place, folder })),
    here('Roo Code', '.roorules', readRuleFile),
    ...rooModes.map((mode) => here('Roo Code', `.roorules-${mode}`, readModeRules)),
    here('VS Code', path.join('.vscode', 'mcp.json'), readVsCodeMcp),
    here('VS Code', '.mcp.json', readPortableMcp),
  ];
}

/** The modes that Roo Code brings. */
const rooModes = ['code', 'architect', 'ask', 'debug', 'orchestrator'];

function rooRules(folder: string): readonly KnownPlace[] {
  return [
    { from: 'Roo Code', path: path.join(folder, 'rules'), names: RULES, read: readRuleFile },
    ...rooModes.map((mode) => ({
      ...{ from: 'Roo Code', path: path.join(folder, `rules-${mode}`), names: RULES, read: readModeRules },
    })),
  ];
}

/** The folders `User` of this VS Code and of those that are usually installed. */
function userFolders({ platform, env, home, userFolder }: ImportMachine): readonly string[] {
  // A relative or empty value counts as none.
  const named = (name: string): string | undefined => (path.isAbsolute(env[name] ?? '') ? env[name] : undefined);
  const base =
    platform === 'win32'
      ? (named('APPDATA') ?? path.join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Application Support')
        : (named('XDG_CONFIG_HOME') ?? path.join(home, '.config'));
  const others = ['Code', 'Code - Insiders', 'VSCodium'].map((name) => path.join(base, name, 'User'));
  return [...new Set([userFolder, ...others])];
}
