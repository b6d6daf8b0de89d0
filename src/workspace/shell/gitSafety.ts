import * as l10n from '../../util/l10n';
import path from 'node:path';
import { isInside } from '../paths/roots';
import type { FileSystem } from '../ports';
import type { GitReading } from './allowedUnasked/profile';
import { unsafe } from './commandReasons';
import { splitGitOptions } from './dangers/gitDanger';
import { findExposedTracked } from './gitWorkTree';
import { findForeignRepository, type GitPlace } from './gitPlace';

export interface GitAnswer {
  readonly exitCode: number | null;
  readonly stdout: string;
}

/** Runs git with the environment of commands and `gitEnvironment` on top. Never rejects. */
export type RunGit = (
  args: readonly string[],
  options: {
    /** Absolute path of git: a bare name could start a file of the current folder. */
    readonly program: string;
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string>>;
  },
) => Promise<GitAnswer>;

export interface GitCheck {
  /** Absolute path of git. */
  readonly program: string;
  /** Absolute, real path of the folder the command runs in. */
  readonly cwd: string;
  /** Real paths of the workspace folders. */
  readonly rootPaths: readonly string[];
  readonly runGit: RunGit;
  /** Whether showing a file needs a question. Takes its path in the repository. */
  readonly isProtected: (path: string, alsoNamed?: readonly string[] | 'unknown') => boolean;
  readonly fileSystem: GitPlace['fileSystem'] & Pick<FileSystem, 'protectedLinks'>;
}

/**
 * The folder in which a call of git works that a rule allows, or why its repository cannot be checked. Completes "Asks because …". Each
 * further `-C` counts from the one before.
 */
export function placeOfGit([, ...words]: readonly string[]): GitReading | string {
  const folders: string[] = [];
  for (const [option = '', value = ''] of splitGitOptions(words).options) {
    if (/^--(?:git-dir|work-tree|namespace|exec-path|bare|super-prefix|attr-source)\b/.test(option))
      return l10n.t('the repository cannot be checked with `{0}`', option);
    if (option === '-C' && value !== '') folders.push(value);
  }
  if (folders.length === 0) return { showsContent: false };
  const folder = folders.reduce((before, next) => (path.isAbsolute(next) ? next : `${before}/${next}`));
  // In `link/..` the system goes up from the link's target.
  return LEAVES_FOLDER.test(folder) ? unsafe.leavesFolder(folder) : { showsContent: false, folder };
}

/**
 * The variables for git when it runs unasked: no hooks, file-system monitor, pager, questions, submodules or bare
 * repositories. As environment variables they leave the analysed command line unchanged. A command that only reads also
 * gets no credentials, no network and no signature programs.
 */
export function gitEnvironment({ isReadOnly }: { readonly isReadOnly: boolean }): Readonly<Record<string, string>> {
  const settings = [...NEUTRAL_SETTINGS, ...(isReadOnly ? READ_ONLY_SETTINGS : [])];
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    ...(isReadOnly && { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }),
  };
}

/**
 * Source: git-config(1) and git(1). An empty `fsmonitor` turns it off in every version; old ones run `false` as a
 * program.
 */
const NEUTRAL_SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', ''],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['safe.bareRepository', 'explicit'],
  // Git drops these variables inside submodules, so it must not look into them.
  ['diff.ignoreSubmodules', 'all'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
];
const READ_ONLY_SETTINGS: readonly (readonly [string, string])[] = [
  ['credential.helper', ''],
  ['core.askPass', ''],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
];

/**
 * Why git must not run unasked in a folder, or `undefined`. Completes "Asks because …". The repository's own configuration
 * may only have settings that are known to name no program, file or other repository, and its files may not lead to one. Submodules ask, because git
 * would follow their configuration.
 */
export async function findGitProblem(
  { program, cwd, rootPaths, runGit, isProtected, fileSystem }: GitCheck,
  { showsContent, readsWorkTree, readsChanges, showsReflog }: GitReading,
): Promise<string | undefined> {
  const environment = gitEnvironment({ isReadOnly: true });
  const listed = await runGit(['config', '--list', '--show-scope', '--show-origin', '-z'], {
    program,
    cwd,
    environment,
  });
  if (listed.exitCode !== 0) return l10n.t('git could not show its configuration in this folder');
  const entries = readConfig(listed.stdout);
  if (!entries) return l10n.t('git could not show its configuration in this folder');
  const isNeutral = [...NEUTRAL_SETTINGS, ...READ_ONLY_SETTINGS].every(([key, value]) =>
    entries.some((entry) => entry.scope === 'command' && entry.key === key.toLowerCase() && entry.value === value),
  );
  if (!isNeutral) return l10n.t('this version of git could run programs that the repository names');
  const ofRepository = entries.filter((entry) => isForeign(entry, cwd, rootPaths));
  const workTrees = ofRepository.filter(({ key }) => key === 'core.worktree');
  const foreign = ofRepository.find((entry) => entry.key !== 'core.worktree' && !isHarmless(entry));
  if (foreign)
    return l10n.t("the repository's configuration sets {0}, which can make git run other programs", foreign.key);

  const places = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir'];
  const found = await runGit(['rev-parse', ...places], { program, cwd, environment });
  const [top = '', gitFolder = '', commonFolder = '', ...more] = found.stdout.replace(/\r?\n$/, '').split(/\r?\n/);
  if (found.exitCode !== 0 || top === '' || commonFolder === '' || more.length > 0)
    return l10n.t('this folder is not in a git repository that git trusts');
  const place = { cwd, top, gitFolder, commonFolder: path.resolve(cwd, commonFolder), rootPaths, fileSystem };
  const foreignRepository = await findForeignRepository(
    place,
    workTrees.map(({ value }) => value),
  );
  if (foreignRepository !== undefined) return foreignRepository;
  if (showsContent && !rootPaths.some((root) => isInside(path.resolve(top), root))) {
    return l10n.t('the repository has files outside the workspace');
  }
  if (showsReflog) {
    const logs = await runGit(['log', '--walk-reflogs', '--all', '--format=%gs', '--'], { program, cwd, environment });
    if (logs.exitCode !== 0 || HAS_PASSWORD.test(logs.stdout))
      return l10n.t("the repository's log may name an address with a password");
  }
  const files = await runGit(['ls-files', '--stage', '-z'], { program, cwd: top, environment });
  if (files.exitCode !== 0) return l10n.t('git could not list the files of the repository');
  const tracked: string[] = [];
  for (const line of files.stdout.split('\0')) {
    if (line.startsWith('160000 ')) return l10n.t('the repository has submodules, which have their own configuration');
    if (!showsContent) continue;
    const file = line.slice(line.indexOf('\t') + 1);
    if (file !== '' && isProtected(file)) return l10n.t('it could show {0}, which is protected', file);
    if (file !== '') tracked.push(file);
  }
  const workTree = { top, rootPaths, fileSystem, isProtected };
  if (readsWorkTree) return findExposedTracked(tracked, workTree);
  if (!readsChanges) return undefined;
  const changed = await runGit(['ls-files', '--modified', '-z'], { program, cwd: top, environment });
  if (changed.exitCode !== 0) return l10n.t('git could not list the files of the repository');
  return findExposedTracked(changed.stdout.split('\0').filter(Boolean), workTree);
}

const LEAVES_FOLDER = /[^./\\][\\/]+\.\.(?:[\\/]|$)/;

/** `git pull https://name:token@host` stays in the reflog as it was written. */
const HAS_PASSWORD = /:\/\/(?!git@)(?:[^/\s]*@|\S*\?)/;

interface ConfigEntry {
  readonly scope: string;
  readonly origin: string;
  /** Section and variable in lower case, a subsection between them as it is. */
  readonly key: string;
  readonly value: string;
}

/** Reads repeated `scope NUL origin NUL key LF value NUL`. A key without a value has no LF. */
function readConfig(output: string): readonly ConfigEntry[] | undefined {
  const fields = output.split('\0');
  if (fields.pop() !== '' || fields.length % 3 !== 0) return undefined;
  const entries: ConfigEntry[] = [];
  for (let index = 0; index < fields.length; index += 3) {
    const [scope = '', origin = '', setting = ''] = fields.slice(index, index + 3);
    const lineEnd = setting.indexOf('\n');
    const key = lineEnd < 0 ? setting : setting.slice(0, lineEnd);
    entries.push({ scope, origin, key, value: lineEnd < 0 ? '' : setting.slice(lineEnd + 1) });
  }
  return entries;
}

/** Whether a setting is neither the user's nor the system's, or is in a file of the workspace. */
function isForeign({ scope, origin }: ConfigEntry, cwd: string, rootPaths: readonly string[]): boolean {
  if (scope === 'command') return false;
  if (scope !== 'global' && scope !== 'system') return true;
  const file = path.resolve(cwd, origin.replace(/^file:/, ''));
  return rootPaths.some((root) => isInside(file, root));
}

function isHarmless({ key, value }: ConfigEntry): boolean {
  if (/^remote\..*\.(?:push)?url$/s.test(key)) return !value.includes('::');
  // An address in the place of a name may contain a password, and several options of git show it.
  if (/^branch\..*\.(?:push)?remote$/s.test(key) && /::|:\/\/(?!git@)[^/\s]*@/.test(value)) return false;
  return HARMLESS.some((known) => known.test(key));
}

/** Settings that name no program, file or other repository. */
const HARMLESS: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|longpaths|quotepath|abbrev|checkstat|trustctime|untrackedcache|splitindex|commitgraph|multipackindex|preloadindex|protecthfs|protectntfs|whitespace|commentchar)$/,
  /^extensions\.(?:objectformat|refstorage|relativeworktrees|worktreeconfig)$/,
  /^remote\..*\.(?:fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall)$/s,
  /^branch\..*\.(?:remote|pushremote|merge|rebase|description|vscode-merge-base|gk-merge-base|gk-last-accessed|gk-last-modified|github-pr-owner-number)$/s,
  /^branch\.(?:autosetupmerge|autosetuprebase|sort)$/,
  /^user\.(?:name|email|useconfigonly)$/,
  /^(?:init\.defaultbranch|pull\.rebase|pull\.ff|push\.default|push\.autosetupremote|push\.followtags|fetch\.prune|fetch\.prunetags|merge\.ff|merge\.conflictstyle|rebase\.autostash|rebase\.autosquash|rerere\.enabled|rerere\.autoupdate)$/,
  // `gc.recentObjectsHook` is a program.
  /^(?:color|advice|column|gc|maintenance|feature|pack|index)\.(?!recentobjectshook$)[a-z0-9.-]+$/,
  /^diff\.(?:algorithm|renames|renamelimit|colormoved|mnemonicprefix|noprefix|context)$/,
  /^(?:log\.(?:date|decorate|abbrevcommit|follow)|status\.(?:short|branch|showuntrackedfiles|showstash|relativepaths|renames))$/,
  /^lfs\.(?:repositoryformatversion|.*\.access)$/s,
];
