import * as fc from 'fast-check';
import { hardLinks, links, LISTED, markedFiles, MAYBE_FILE, MAYBE_FOLDER, plainFiles } from '../files';

/** Stands for the world's folder in generated texts, so that a found case can be read and run again. */
export const WORLD = '<world>';

const inWorkspace = (names: readonly string[]): string[] =>
  names.map((name) => (name.startsWith('ws/') ? name.slice('ws/'.length) : `../${name}`));

/** Without those whose name is secret: the model names them itself. */
const secrets = inWorkspace(markedFiles.map(({ path }) => path).filter((path) => !path.includes(LISTED)));
const throughLinks = [
  ...inWorkspace([...Object.keys(links), ...Object.keys(hardLinks)]),
  ...[
    'link-outside/notes.txt',
    'link-home/.ssh/id_ed25519',
    'link-outside/maybe',
    'link-ws/.env',
    'src/link-up/outside/notes.txt',
  ],
];
const folders = [
  '.',
  '..',
  'certs',
  'src',
  'sub',
  'config',
  '.git',
  'vendor',
  'link-outside',
  '../outside',
  '../home',
  '../home/.ssh',
];
const missing = [
  ...inWorkspace([MAYBE_FILE, MAYBE_FOLDER]),
  'new.txt',
  'src/new.ts',
  'missing/new.txt',
  '.env.new',
  '../outside/new.txt',
];
const ofTheSystem = [
  '/etc/passwd',
  '/proc/self/environ',
  '/proc/self/cwd/.env',
  `/proc/self/root${WORLD}/outside/notes.txt`,
  '/dev/stdin',
];

/** Paths as they are usually written, from the workspace. */
export const targets = {
  plain: inWorkspace(Object.keys(plainFiles).filter((name) => name.startsWith('ws/'))),
  secret: [...secrets, ...throughLinks],
  other: [...folders, ...missing, ...ofTheSystem],
} as const;

const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  asItIs: (path) => path,
  withDot: (path) => `./${path}`,
  upAndDown: (path) => `src/../${path}`,
  deepUpAndDown: (path) => `sub/inner/../../${path}`,
  absolute: (path) => (path.startsWith('/') ? path : `${WORLD}/ws/${path}`),
  throughSelf: (path) => `link-ws/${path}`,
  throughParent: (path) => `src/link-up/ws/${path}`,
  withRootName: (path) => `ws/${path}`,
  doubled: (path) => path.replaceAll('/', '//'),
  endingWithSlash: (path) => `${path}/`,
  endingWithDot: (path) => `${path}/.`,
  endingWithSpace: (path) => `${path} `,
  withBackslashes: (path) => path.replaceAll('/', '\\'),
  inCapitals: (path) => path.toUpperCase(),
  fullWidth: (path) => path.replace('.', '\uff0e'),
  withHidden: (path) => path.replace('e', 'e\u200b'),
  quoted: (path) => `"${path}"`,
  encoded: (path) => path.replace('.', '%2e'),
  asUri: (path) => `file://${WORLD}/ws/${path}`,
  asOutput: (path) => `output:${path}`,
  inHome: (path) => `~/${path}`,
  withNul: (path) => `${path}\u0000`,
  withLineBreak: (path) => `${path}\n`,
};

const spelling = fc.constantFrom(...Object.keys(SPELLINGS));

/** A path in one of many spellings; mostly of a file that must not be known. */
export function pathText(): fc.Arbitrary<string> {
  const target = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...targets.secret) },
    { weight: 2, arbitrary: fc.constantFrom(...targets.plain) },
    { weight: 3, arbitrary: fc.constantFrom(...targets.other) },
  );
  const spellings = fc.oneof(
    { weight: 3, arbitrary: fc.constant(['asItIs']) },
    { weight: 3, arbitrary: fc.array(spelling, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(spelling, { minLength: 2, maxLength: 3 }) },
  );
  return fc.tuple(target, spellings).map(([path, names]) => names.reduce((text, name) => SPELLINGS[name]!(text), path));
}
