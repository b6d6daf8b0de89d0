import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Keys of git's configuration whose values name programs, or folders and files of programs. Source: git-config(1). */
const PROGRAM_KEYS =
  /^(?:hookspath|fsmonitor|pager|editor|sshcommand|gitproxy|askpass|attributesfile|clean|smudge|process|command|textconv|external|driver|program|helper)$/i;

/**
 * The files and folders that the configuration of a repository names as programs, such as the folder of `core.hooksPath`, if
 * they are in the working folder. `git` is the working folder's `.git`. They need not exist.
 */
export function configuredFiles(git: string): readonly string[] {
  const root = path.dirname(git);
  const gitFolder = commonFolderOf(git);
  let section = '';
  return readText(path.join(gitFolder, 'config'))
    .split('\n')
    .flatMap((line) => {
      section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
      const [, key = '', value = ''] = /^(?:\s*\[[^\]]*\])?\s*([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
      const isInclude = section.startsWith('include') && key.toLowerCase() === 'path';
      if (!isInclude && section !== 'alias' && !PROGRAM_KEYS.test(key)) return [];
      const start = isInclude ? gitFolder : root;
      const words = wordsOf(value);
      // Other values hold the names of programs and their arguments.
      const named = key.toLowerCase() === 'hookspath' ? words : words.filter((word) => /[./]/.test(word));
      return named.map((word) => path.resolve(start, word));
    })
    .filter((file) => file.startsWith(`${root}${path.sep}`));
}

/** The words of a command line, without quotes and the `!` of an alias. */
function wordsOf(value: string): readonly string[] {
  return value
    .split(/[\s"';&|=]+/)
    .map((word) => word.replace(/^!/, ''))
    .filter((word) => word !== '');
}

/** The folder with the configuration: a `.git` file leads to it, and a worktree shares that of its repository. */
function commonFolderOf(git: string): string {
  const target = /^gitdir: (.*)$/m.exec(readText(git))?.[1]?.trim();
  const folder = target === undefined ? git : path.resolve(path.dirname(git), target);
  const common = readText(path.join(folder, 'commondir')).trim();
  return common === '' ? folder : path.resolve(folder, common);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It is missing or a folder.
    return '';
  }
}
