import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A change of a file that people made: some of its lines and their replacement, without line ends. */
interface Hunk {
  readonly source: string;
  readonly text: string;
  readonly firstLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

type Half = 'tuning' | 'judging';

const COMMITS = 1500;
const MAX_LINES = 40;
const MAX_SIZE = 150_000;
/** A longer text does not fit into a string of Node. */
const MAX_LOG_BYTES = 400_000_000;
const HUNKS_PER_REPOSITORY = 120;
const HUNKS_PER_FILE = 4;

/** The git directories in a folder: bare ones, and `.git` in the folders of a work tree. */
export function findRepositories(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const candidates = [path.join(folder, name), path.join(folder, name, '.git'), path.join(folder, name, 'repo')];
      return candidates.filter((one) => existsSync(path.join(one, 'HEAD')) && existsSync(path.join(one, 'objects')));
    });
}

/** The half of the material that a file belongs to. The same file is always in the same half. */
function halfOf(repository: string, file: string): Half {
  const [byte = 0] = createHash('sha256').update(`${repository}:${file}`).digest();
  return byte % 2 === 0 ? 'tuning' : 'judging';
}

/** Hunks of the newest commits of a repository, a few of each file, all of one half. */
export function readHunks(gitDir: string, half: Half): readonly Hunk[] {
  const git = (args: readonly string[], input?: string): Buffer =>
    spawnSync('git', ['--git-dir', gitDir, ...args], { input, maxBuffer: 1 << 30 }).stdout;
  const log = git([
    ...['log', '-p', '-U3', '--no-merges', '--no-renames', '--diff-filter=M', '--full-index', '--no-color'],
    ...['--no-ext-diff', '--no-textconv', '--format=', `--max-count=${COMMITS}`],
  ]).subarray(0, MAX_LOG_BYTES);
  const name = path.basename(gitDir) === 'repo' ? path.basename(path.dirname(gitDir)) : path.basename(gitDir);
  const counts = new Map<string, number>();
  const wanted: { readonly file: string; readonly blob: string; readonly hunk: ParsedHunk }[] = [];
  for (const part of partsOf(log)) {
    const file = /^--- a\/(.*)$/m.exec(part)?.[1];
    const blob = /^index ([0-9a-f]{40})\.\./m.exec(part)?.[1];
    if (file === undefined || blob === undefined || halfOf(name, file) !== half) continue;
    for (const hunk of parseHunks(part)) {
      const count = counts.get(file) ?? 0;
      if (count >= HUNKS_PER_FILE) break;
      counts.set(file, count + 1);
      wanted.push({ file, blob, hunk });
    }
  }
  // An even spread over the files of the repository.
  const step = Math.max(1, wanted.length / HUNKS_PER_REPOSITORY);
  const chosen = wanted.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  const texts = readBlobs(git, [...new Set(chosen.map(({ blob }) => blob))]);
  return chosen.flatMap(({ file, blob, hunk }) => {
    const text = texts.get(blob);
    if (text === undefined || text.includes('\u0000') || text.includes('\uFFFD') || text.length > MAX_SIZE) return [];
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    const isThere = hunk.oldLines.every((line, index) => lines[hunk.firstLine + index] === line);
    return isThere ? [{ source: `${name}/${file}`, text, ...hunk }] : [];
  });
}

/** The diffs of the files in a log. One that is cut off at the end is left out. */
function partsOf(log: Buffer): readonly string[] {
  const parts = log
    .toString('utf8')
    .split(/^diff --git /m)
    .slice(1);
  return log.length < MAX_LOG_BYTES ? parts : parts.slice(0, -1);
}

interface ParsedHunk {
  readonly firstLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

function parseHunks(part: string): readonly ParsedHunk[] {
  return part
    .split(/^(?=@@ -)/m)
    .slice(1)
    .flatMap((text) => {
      const firstLine = Number(/^@@ -(\d+)/.exec(text)?.[1] ?? 0) - 1;
      const body = text.split('\n').slice(1, -1);
      if (text.includes('\n\\ No newline')) return [];
      const side = (sign: string): readonly string[] =>
        body.filter((line) => line[0] === ' ' || line[0] === sign).map((line) => line.slice(1).replace(/\r$/, ''));
      const [oldLines, newLines] = [side('-'), side('+')];
      const isUsable = oldLines.length > 0 && oldLines.length <= MAX_LINES && newLines.length <= MAX_LINES;
      return isUsable && oldLines.join('\n') !== newLines.join('\n') ? [{ firstLine, oldLines, newLines }] : [];
    });
}

function readBlobs(
  git: (args: readonly string[], input?: string) => Buffer,
  blobs: readonly string[],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const output = git(['cat-file', '--batch'], blobs.join('\n') + '\n');
  for (let at = 0; at < output.length;) {
    const newline = output.indexOf(10, at);
    const [blob = '', kind, size = '0'] = output.subarray(at, newline).toString().split(' ');
    at = newline + 1;
    if (kind !== 'blob') continue;
    texts.set(blob, output.subarray(at, at + Number(size)).toString('utf8'));
    at += Number(size) + 1;
  }
  return texts;
}
