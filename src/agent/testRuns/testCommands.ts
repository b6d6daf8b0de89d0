import * as z from 'zod';
import { testAtCursor, type TestLanguage } from './testAtCursor';

export interface TestFile {
  /** Below the folder in which the command runs, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Where the cursor is, 1-based. */
  readonly line: number;
  /** The text of the `package.json` of that folder. Absent: there is none. */
  readonly packageJson?: string | undefined;
}

/** A way to run tests of a file. */
export interface TestCommand {
  /** The test's name; absent: all tests of the file. */
  readonly test?: string | undefined;
  /** The program and its words, as the program gets them. Parts of them come from the file. */
  readonly argv: readonly string[];
}

/** The commands for the test at the cursor and for the whole file. Empty: no test file, or no runner is known. */
export function testCommands(file: TestFile): readonly TestCommand[] {
  const language = languageOf(file.path);
  if (language === undefined || !isTestFile(file.path, language)) return [];
  const runner = runnerOf(file, language);
  if (!runner) return [];
  const at = testAtCursor(file.text, file.line, language);
  const ofTest = at && { test: at.name, argv: runner(at) };
  return [...(ofTest ? [ofTest] : []), { argv: runner(undefined) }];
}

/** The names that the test file of a source file may have, without folders. */
export function testNamesOf(path: string): readonly string[] {
  const name = path.split('/').at(-1) ?? path;
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return [];
  const [base, ending] = [name.slice(0, dot), name.slice(dot)];
  return [`${base}.test${ending}`, `${base}.spec${ending}`, `${base}_test${ending}`, `test_${base}${ending}`];
}

type Runner = (
  at: { readonly name: string; readonly group?: string | undefined; readonly line: number } | undefined,
) => readonly string[];

const ENDINGS: Readonly<Record<string, TestLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  py: 'python',
  go: 'go',
  rs: 'rust',
  rb: 'ruby',
  exs: 'elixir',
  php: 'php',
};

function languageOf(path: string): TestLanguage | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

function isTestFile(path: string, language: TestLanguage): boolean {
  // Rust keeps tests beside the code.
  if (language === 'rust') return true;
  const name = path.split('/').at(-1) ?? path;
  if (language === 'go') return name.endsWith('_test.go');
  if (/(?:[._-](?:test|tests|spec)|Test)\.\w+$/.test(name) || /^test[_.-]/.test(name)) return true;
  return /(?:^|\/)(?:tests?|__tests__|spec)\//.test(path) && language !== 'python';
}

function runnerOf(file: TestFile, language: TestLanguage): Runner | undefined {
  // A path that begins with a dash would be read as an option.
  const path = file.path.startsWith('-') ? `./${file.path}` : file.path;
  const folder = path.split('/').slice(0, -1).join('/');
  switch (language) {
    case 'javascript':
      return scriptRunner(path, file.packageJson);
    case 'python':
      return (at) => ['pytest', [path, at?.group, at?.name].filter((part) => part !== undefined).join('::')];
    case 'go':
      return (at) => ['go', 'test', ...(at ? ['-run', `^${at.name}$`] : []), folder === '' ? '.' : `./${folder}`];
    case 'rust':
      return (at) => ['cargo', 'test', ...(at ? [at.name] : [])];
    case 'ruby':
      return (at) => ['bundle', 'exec', 'rspec', at ? `${path}:${at.line}` : path];
    case 'elixir':
      return (at) => ['mix', 'test', at ? `${path}:${at.line}` : path];
    case 'php':
      return (at) => ['vendor/bin/phpunit', ...(at ? ['--filter', at.name] : []), path];
    default:
      return language satisfies never;
  }
}

const Names = z.record(z.string(), z.unknown()).catch({}).default({});
const PackageFile = z.object({ scripts: Names, dependencies: Names, devDependencies: Names });

/** By what `package.json` depends on, else by its script `test`. */
function scriptRunner(path: string, packageJson: string | undefined): Runner | undefined {
  const { scripts, dependencies, devDependencies } = readPackage(packageJson);
  const has = (name: string): boolean => Object.hasOwn(devDependencies, name) || Object.hasOwn(dependencies, name);
  if (has('vitest'))
    return (at) => ['npx', 'vitest', 'run', path, ...(at ? [`--testNamePattern=${asPattern(at.name)}`] : [])];
  if (has('jest'))
    return (at) => [
      'npx',
      'jest',
      '--runTestsByPath',
      path,
      ...(at ? [`--testNamePattern=${asPattern(at.name)}`] : []),
    ];
  if (has('mocha')) return (at) => ['npx', 'mocha', path, ...(at ? [`--fgrep=${at.name}`] : [])];
  if (has('ava')) return () => ['npx', 'ava', path];
  const { test } = scripts;
  const usesNode = typeof test === 'string' && /\bnode\b.* --test\b/.test(test.slice(0, 1_000));
  // Without any other runner, Node's own runs JavaScript.
  if (!usesNode && (typeof test === 'string' || !/\.[cm]?js$/.test(path))) return undefined;
  return (at) => ['node', '--test', ...(at ? [`--test-name-pattern=${asPattern(at.name)}`] : []), path];
}

function readPackage(text: string | undefined): z.infer<typeof PackageFile> {
  const empty = { scripts: {}, dependencies: {}, devDependencies: {} };
  try {
    const parsed = PackageFile.safeParse(JSON.parse(text ?? '{}'));
    return parsed.success ? parsed.data : empty;
  } catch (error) {
    if (error instanceof SyntaxError) return empty;
    throw error;
  }
}

/** A regular expression for a name. */
function asPattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
