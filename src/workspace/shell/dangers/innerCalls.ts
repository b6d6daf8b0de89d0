import { behindGitOptions } from './gitDanger';

/** Deeper scripts are not read. */
const MAX_DEPTH = 4;

/**
 * A call, and the calls that it starts by its words: behind `sudo`, `xargs`, `find -exec` and the like, and in the script
 * of `sh -c` and `eval`. Names are without folder and `.exe`, in lower case.
 */
export function innerCalls(call: readonly string[], depth = 0): readonly (readonly string[])[] {
  const [first, ...words] = call;
  if (first === undefined || depth > MAX_DEPTH) return [];
  // A script and a wrapper may set variables first.
  if (/^[A-Za-z_]\w*\+?=/.test(first)) return innerCalls(words, depth + 1);
  const name = programName(first);
  const named = [name, ...words];
  const inner = (calls: readonly (readonly string[])[]) => calls.flatMap((one) => innerCalls(one, depth + 1));
  if (WRAPPERS.has(name)) return [named, ...inner(suffixes(words))];
  if (name === 'find' || name === 'fd') {
    const starts = words.flatMap((word, index) => (/^-(?:exec|execdir|ok|okdir|x|X)$/.test(word) ? [index + 1] : []));
    return [named, ...inner(starts.map((start) => words.slice(start)))];
  }
  if (name === 'eval' || name === 'iex' || name === 'invoke-expression')
    return [named, ...inner(script(words.join(' ')))];
  if (SHELLS.test(name)) {
    const option = words.findIndex((word) => /^-[a-z]*c$|^-(?:command|c)$|^\/c$/i.test(word));
    return option < 0 ? [named] : [named, ...inner(script(words.slice(option + 1).join(' ')))];
  }
  return name === 'git' ? [[name, ...behindGitOptions(words)]] : [named];
}

const SHELLS = /^(?:(?:ba|z|da|k|fi|c|tc|a)?sh|powershell|pwsh|cmd)$/;

const WRAPPERS: ReadonlySet<string> = new Set([
  ...['sudo', 'doas', 'su', 'pkexec', 'run0', 'env', 'command', 'builtin', 'exec', 'nohup', 'time', 'timeout', 'nice'],
  ...['ionice', 'setsid', 'stdbuf', 'xargs', 'parallel', 'watch', 'chroot', 'unshare', 'strace', 'flock', 'script'],
  ...['npx', 'pnpx', 'bunx', 'cross-env', 'dotenv', 'if', 'elif', 'then', 'else', 'while', 'until', 'do', '!'],
]);

/** What a wrapper runs begins at one of its words: their options are too many to know. */
function suffixes(words: readonly string[]): readonly (readonly string[])[] {
  const start = words.findIndex((word) => !/^-|=/.test(word));
  return start < 0 ? [] : words.slice(start, start + 6).map((_, index) => words.slice(start + index));
}

/** The calls of a script, split roughly: too many calls only warn too often. */
function script(text: string): readonly (readonly string[])[] {
  return text
    .split(/[;&|\n()`{}]+/)
    .map((part) => part.trim().split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0);
}

function programName(word: string): string {
  const name = word.split(/[\\/]/).at(-1) ?? word;
  return (name === '' ? word : name).replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase();
}
