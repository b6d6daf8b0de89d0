import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { SECRETS, FILES_WITH_SECRETS } from '../../../src/workspace/paths/protectedNames';
import { holdsSecrets } from '../../../src/workspace/paths/protectedPaths';

/** A file, link or ignore file of a generated tree, by its path below the tree. */
export type TreeEntry =
  | { readonly kind: 'file' | 'pipe'; readonly path: string }
  /** `target` counts from the tree, and `../outside` is a folder beside it, for links only. */
  | { readonly kind: 'link' | 'hard link'; readonly path: string; readonly target: string }
  | { readonly kind: 'ignore file'; readonly path: string; readonly lines: readonly string[] };

/** Names that the patterns of the protected tables match. */
const PATTERN_EXAMPLES = [
  ...[
    'id_rsa',
    'id_work_sk',
    'server.key',
    'ca.pem',
    'x.pfx',
    'x.kdbx',
    '.env',
    '.env.local',
    'prod.env',
    'terraform.tfstate',
  ],
  ...[
    'a.tfvars',
    'secrets.yml',
    'passwords.txt',
    'service-account.json',
    'x.kubeconfig',
    '.bash_history',
    'Server.KEY',
  ],
];
const PROTECTED_NAMES = [...PATTERN_EXAMPLES, ...SECRETS.names, ...FILES_WITH_SECRETS.names];
const ORDINARY_FILES = ['a.txt', 'b.ts', 'notes.md', '.hidden.txt', 'c d.txt', 'README', 'x.json'];
const FOLDERS = ['src', 'certs', '.config', 'node_modules', 'build', 'sub', '.cache', 'Build'];
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'];
const LINE_STARTS = ['', '!', '/', '!/', '# ', '!**/', '!*', '*'];

const folder = fc.array(fc.constantFrom(...FOLDERS), { maxLength: 3 }).map((names) => names.join('/'));
const fileName = fc.oneof(fc.constantFrom(...PROTECTED_NAMES), fc.constantFrom(...ORDINARY_FILES));
const file = fc.tuple(folder, fileName).map(([place, name]) => path.posix.join(place, name));
const ignoreLine = fc
  .tuple(
    fc.constantFrom(...LINE_STARTS),
    fc.oneof(
      fc.constantFrom(
        ...PATTERN_EXAMPLES,
        ...FOLDERS,
        ...ORDINARY_FILES,
        '*',
        '.*',
        '**',
        '{.env,x}',
        '[.]env',
        '\\.env',
        '.e*',
      ),
      file,
    ),
    fc.constantFrom('', '', '/', ' ', '/**'),
  )
  .map((parts) => parts.join(''));

const entry: fc.Arbitrary<TreeEntry> = fc.oneof(
  { weight: 6, arbitrary: file.map((each): TreeEntry => ({ kind: 'file', path: each })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('link', 'hard link'),
      path: fc
        .tuple(folder, fc.constantFrom('link.txt', 'other.ts', 'linked'))
        .map(([place, name]) => path.posix.join(place, name)),
      target: fc.oneof(file, folder, fc.constantFrom('../outside', '../outside/o.txt', '.', 'missing')),
    }),
  },
  {
    weight: 1,
    arbitrary: file.map((each): TreeEntry => ({ kind: 'pipe', path: each })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ignore file'),
      path: fc.tuple(folder, fc.constantFrom(...IGNORE_FILES)).map(([place, name]) => path.posix.join(place, name)),
      lines: fc.array(ignoreLine, { minLength: 1, maxLength: 4 }),
    }),
  },
);

/** Folders with protected, ignored and linked files. */
export const protectedTree: fc.Arbitrary<readonly TreeEntry[]> = fc.array(entry, { minLength: 3, maxLength: 18 });

export interface WrittenTree {
  /** Of the tree. `outside` is beside it. */
  readonly top: string;
  /** Marks in protected files and outside. Nobody may see them without a question. */
  readonly secretMarks: readonly string[];
  /** The ordinary files, by their paths. */
  readonly ordinaryFiles: readonly string[];
  readonly folders: readonly string[];
  /** The full paths of the named pipes. A program that reads one waits until another has opened it for writing. */
  readonly pipes: readonly string[];
}

/**
 * Writes a tree into an empty folder. Each file holds `MARK` and a number of its own. Skips entries that do not fit
 * together.
 */
export async function writeTree(
  folderOfTest: string,
  entries: readonly TreeEntry[],
  { isRepository }: { readonly isRepository: boolean },
): Promise<WrittenTree> {
  const top = path.join(folderOfTest, 'tree');
  await fs.mkdir(path.join(folderOfTest, 'outside'), { recursive: true });
  await fs.mkdir(top);
  await fs.writeFile(path.join(folderOfTest, 'outside/o.txt'), 'MARK-outside-\n');
  if (isRepository) execFileSync('git', ['init', '--quiet', top]);
  const secretMarks = ['MARK-outside-'];
  const ordinaryFiles: string[] = [];
  const folders = new Set<string>(['.']);
  const pipes: string[] = [];
  const order = ['file', 'hard link', 'link', 'pipe', 'ignore file'];
  const sorted = entries.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  for (const [index, each] of sorted.entries()) {
    const target = path.join(top, each.path);
    try {
      await fs.mkdir(path.dirname(target), { recursive: true });
      switch (each.kind) {
        case 'file':
          await fs.writeFile(target, `first\nMARK-${index}-\n`, { flag: 'wx' });
          if (holdsSecrets(each.path)) secretMarks.push(`MARK-${index}-`);
          else ordinaryFiles.push(each.path);
          break;
        case 'pipe':
          execFileSync('mkfifo', [target], { stdio: 'ignore' });
          pipes.push(target);
          continue;
        case 'link':
          await fs.symlink(path.join(top, each.target), target);
          break;
        case 'hard link':
          // Nobody can find out that a file outside has another name inside.
          if (each.target.startsWith('..')) continue;
          await fs.link(path.join(top, each.target), target);
          if (!holdsSecrets(each.path)) ordinaryFiles.push(each.path);
          break;
        case 'ignore file':
          await fs.writeFile(target, `${each.lines.join('\n')}\n`);
          break;
      }
    } catch {
      // A file stands where a folder is needed, a name is taken, or the target is missing.
      continue;
    }
    folders.add(path.posix.dirname(each.path));
  }
  return { top, secretMarks, ordinaryFiles, folders: [...folders], pipes };
}
