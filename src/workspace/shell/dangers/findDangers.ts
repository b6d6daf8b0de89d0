import * as l10n from '../../../util/l10n';
import path from 'node:path';
import { isInside } from '../../paths/roots';
import { innerCalls } from './innerCalls';
import { gitDanger } from './gitDanger';
import { installs, runsDownloads } from './packageManagers';

/** A reason to read a command with care. */
export interface CommandDanger {
  /** One sentence for people. */
  readonly text: string;
  /** The words of the command that make it dangerous, without quotes. */
  readonly words: readonly string[];
}

export interface DangerPlace {
  /** Absolute path of the folder in which the command runs. */
  readonly folder: string;
  /** Absolute paths of the workspace's folders. */
  readonly roots: readonly string[];
}

type Call = readonly string[];
type FindWords = (call: Call, calls: readonly Call[], place: DangerPlace) => readonly string[] | undefined;

/**
 * What a command line could do that a person must not overlook. `calls` are the words of each call as the analysis found
 * them; words that are not literal may still have their quotes. It warns and allows nothing, so it may err on the side of
 * a warning.
 */
export function findDangers(calls: readonly Call[], place: DangerPlace): readonly CommandDanger[] {
  const all = calls.flatMap((call) => innerCalls(call.map(withoutQuotes)));
  return KINDS.flatMap(({ text, find }) => {
    const words = all.flatMap((call) => find(call, all, place) ?? []);
    return words.length === 0 ? [] : [{ text: text(), words: [...new Set(words)] }];
  });
}

const KINDS: readonly { readonly text: () => string; readonly find: FindWords }[] = [
  { text: () => l10n.t('Runs with the rights of another user, such as root.'), find: needsRoot },
  { text: () => l10n.t('Deletes folders with all they contain, or overwrites a disk.'), find: deletesMuch },
  { text: () => l10n.t('Downloads a program and runs it.'), find: downloadsAndRuns },
  { text: () => l10n.t('Reaches outside the workspace folder.'), find: leavesWorkspace },
  { text: () => l10n.t('Sends data to another machine.'), find: sendsData },
  { text: () => l10n.t('Rewrites git history, or discards changes that git cannot bring back.'), find: gitDanger },
  { text: () => l10n.t('Installs software, which can run its own scripts.'), find: (call) => installs(call) },
];

function needsRoot([name = '']: Call): readonly string[] | undefined {
  return ROOT.has(name) ? [name] : undefined;
}

const ROOT: ReadonlySet<string> = new Set(['sudo', 'doas', 'su', 'pkexec', 'run0', 'runas', 'gsudo']);

function deletesMuch([name = '', ...words]: Call): readonly string[] | undefined {
  const has = (pattern: RegExp): string | undefined => words.find((word) => pattern.test(word));
  const options: Readonly<Record<string, RegExp>> = {
    rm: /^(?:-[a-z]*r[a-z]*|--recursive|-recurse)$/i,
    'remove-item': /^-r(?:e(?:c(?:u(?:r(?:se?)?)?)?)?)?$/i,
    ri: /^-r(?:e(?:c(?:u(?:r(?:se?)?)?)?)?)?$/i,
    rd: /^\/s$/i,
    rmdir: /^(?:\/s|-r(?:ecurse)?)$/i,
    del: /^(?:\/s|-r(?:ecurse)?)$/i,
    erase: /^(?:\/s|-r(?:ecurse)?)$/i,
    find: /^-delete$/,
    fd: /^-delete$/,
    rsync: /^--delete/,
    dd: /^of=/,
    robocopy: /^\/mir$/i,
  };
  const option = options[name] && has(options[name]);
  if (option !== undefined) return [name, option];
  return /^(?:rimraf|shred|wipe|wipefs|mkfs(?:\..*)?|fdisk|parted|diskpart|format-volume|clear-disk)$/.test(name)
    ? [name]
    : undefined;
}

/** A download and an interpreter in one command line: a pipe, a substitution or two steps. */
function downloadsAndRuns(call: Call, calls: readonly Call[]): readonly string[] | undefined {
  const direct = runsDownloads(call);
  if (direct) return direct;
  const [name = ''] = call;
  if (!DOWNLOADERS.has(name)) return undefined;
  const runner = calls.find(([other = '']) => INTERPRETERS.test(other));
  return runner?.[0] === undefined ? undefined : [name, runner[0]];
}

const DOWNLOADERS: ReadonlySet<string> = new Set([
  ...['curl', 'wget', 'fetch', 'aria2c', 'http', 'https', 'xh', 'lynx', 'ftp'],
  ...['iwr', 'irm', 'invoke-webrequest', 'invoke-restmethod', 'start-bitstransfer', 'certutil', 'bitsadmin'],
]);
const INTERPRETERS =
  /^(?:(?:ba|z|da|k|fi|c|tc|a)?sh|source|\.|eval|iex|invoke-expression|powershell|pwsh|python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|chmod|installer|msiexec)$/;

/** Temporary folders count only where the command line deletes: programs keep files of others there. */
function leavesWorkspace(
  [name = '', ...words]: Call,
  calls: readonly Call[],
  place: DangerPlace,
): readonly string[] | undefined {
  const patterns = FIRST_IS_PATTERN.has(name) ? 1 : 0;
  const operands = words.filter((word) => !/^-[^=]*$/.test(word)).slice(patterns);
  const outside = operands.filter((word) => {
    const target = /^[-\w]+=/.test(word) ? word.slice(word.indexOf('=') + 1) : word;
    return isOutside(target, place) && (!isTemporary(target) || calls.some(deletes));
  });
  return outside.length === 0 ? undefined : outside;
}

/** Whether a call can delete files, also few of them. Moving a file deletes it where it was. */
function deletes(call: Call): boolean {
  return DELETING.has(call[0] ?? '') || deletesMuch(call) !== undefined;
}

const DELETING: ReadonlySet<string> = new Set([
  ...['rm', 'rmdir', 'unlink', 'mv', 'truncate', 'srm', 'trash'],
  ...['remove-item', 'ri', 'rd', 'del', 'erase', 'move-item', 'mi', 'move', 'clear-content', 'clc'],
]);

/** Whether an absolute path is in a folder for temporary files. By its text only: links are not followed. */
function isTemporary(word: string): boolean {
  const isWindows = /^[A-Za-z]:[\\/]/.test(word);
  const target = (isWindows ? path.win32 : path.posix).normalize(word);
  return isWindows
    ? /^[A-Za-z]:\\(?:Temp|Windows\\Temp|Users\\[^\\]+\\AppData\\Local\\Temp)(?:\\|$)/i.test(target)
    : /^(?:\/private)?\/(?:var\/)?tmp(?:\/|$)/.test(target) ||
        /^\/(?:private\/)?var\/folders\/[^/]+\/[^/]+\/T(?:\/|$)/.test(target);
}

/** The first operand of these is a pattern or a program, not a file. */
const FIRST_IS_PATTERN: ReadonlySet<string> = new Set([
  'grep',
  'egrep',
  'rg',
  'ag',
  'sed',
  'awk',
  'gawk',
  'jq',
  'tr',
  'expr',
]);

function isOutside(word: string, { folder, roots }: DangerPlace): boolean {
  if (/^(?:~|\$\{?HOME\b|\$env:(?:USERPROFILE|HOME|APPDATA)|%(?:USERPROFILE|HOMEPATH|APPDATA)%)/i.test(word))
    return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word) || word.includes('\n')) return false;
  const paths = /^[A-Za-z]:[\\/]/.test(word) ? path.win32 : path;
  if (/[$`*]/.test(word.split(/[\\/]/)[0] ?? '')) return false;
  if (!paths.isAbsolute(word) && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(word)) return false;
  const target = paths.resolve(folder, word);
  if (/^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/\d+)$/.test(target)) return false;
  return !roots.some((root) => isInside(target, root));
}

function sendsData([name = '', ...words]: Call): readonly string[] | undefined {
  if (/^(?:scp|sftp|ssh|ftp|nc|ncat|netcat|telnet|mail|sendmail|rclone)$/.test(name)) return [name];
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  if (name === 'rsync') return words.some((word) => /^[^-/][^/]*:/.test(word)) ? [name] : undefined;
  if (name === 'curl') {
    const upload = words.find((word) => /^(?:-[dFT]|--data.*|--form.*|--upload-file|--json)/.test(word));
    return upload === undefined ? undefined : [name, upload];
  }
  if (name === 'wget') {
    const upload = words.find((word) => /^--(?:post|body)-(?:data|file)/.test(word));
    return upload === undefined ? undefined : [name, upload];
  }
  return SENDING[name]?.test(first) ? [name, first] : undefined;
}

const SENDING: Readonly<Record<string, RegExp>> = {
  git: /^push$/,
  npm: /^publish$/,
  pnpm: /^publish$/,
  yarn: /^publish$/,
  bun: /^publish$/,
  cargo: /^publish$/,
  docker: /^push$/,
  podman: /^push$/,
  twine: /^upload$/,
  gh: /^(?:pr|release|gist|issue|repo|api|workflow|secret)$/,
  vsce: /^publish$/,
  gem: /^push$/,
  dotnet: /^nuget$/,
};

/** The files that a command line redirects to, as calls of `>`. */
export function redirectsOf(command: string): readonly Call[] {
  const written = command.matchAll(/>{1,2}\|?\s*("[^"]*"|'[^']*'|[^\s;&|<>()]+)/g);
  return [...written].map(([, file = '']) => ['>', file]);
}

/** The literal parts of a word as written in a shell. */
function withoutQuotes(word: string): string {
  return word.replaceAll(/(?<!\\)["']/g, '');
}
