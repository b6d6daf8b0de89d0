import { readdirSync } from 'node:fs';
import path from 'node:path';
import { hostTestFiles, type HostSuite } from '../bundleHostSuite';
import { projectRoot } from '../projectRoot';

/** A part of `npm test`. */
export interface Stage {
  readonly name: string;
  /** Parts may run at once. Each is a list of commands that run one after the other until one fails. */
  readonly parts: readonly (readonly Command[])[];
  /** The time limit of one command. */
  readonly limitMinutes: number;
  /** Stages that must succeed before this one starts. They run even if `--only` does not name them. */
  readonly needs: readonly string[];
  /** Stages that must end before this one starts, if they run. */
  readonly after: readonly string[];
  /** Its tests open VS Code, which takes a processor to itself. */
  readonly hasWindows: boolean;
}

/** A Node program with its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The command runs tests and writes their counts to a file. Any other command counts as one check. */
  readonly hasCounts: boolean;
  /** The test files that it runs, relative to the project. They are among `args`. */
  readonly files: readonly string[];
  /** A file that fails is run once more, see `filesToTryAgain`. */
  readonly hasSecondTry?: boolean | undefined;
}

type StageDetails = Partial<Omit<Stage, 'name' | 'parts'>>;

function stage(name: string, parts: Stage['parts'], details: StageDetails = {}): Stage {
  return { name, parts, limitMinutes: 10, needs: [], after: [], hasWindows: false, ...details };
}

function check(program: string, ...args: string[]): readonly Command[] {
  return [{ program, args, hasCounts: false, files: [] }];
}

/**
 * All stages, in the order in which free lanes take them. Windows run early because packaging waits for them:
 * it replaces the files in `dist` that the windows load. The long parts come first, so no lane is idle at the end.
 */
export function stagesOf(options: { readonly grep: string | undefined }): readonly Stage[] {
  const tsx = binOf('tsx');
  const grep = options.grep === undefined ? [] : ['--grep', options.grep];
  const color = process.stdout.isTTY ? ['--color'] : [];
  const mocha = (folder: string): readonly Command[] => {
    const files = testFilesBelow(`test/${folder}`);
    return [{ program: binOf('mocha'), args: [...color, ...grep, ...files], hasCounts: true, files }];
  };
  const hostSuite = (suite: HostSuite, ...args: string[]): readonly Command[] => [
    {
      program: tsx,
      args: ['scripts/runHostTests.ts', ...args, ...grep],
      hasCounts: true,
      files: hostTestFiles(suite).map((name) => `test/${suite}/${name}`),
    },
  ];
  const window = { needs: ['build', 'setup'], hasWindows: true };
  return [
    stage('build', [check('esbuild.js')]),
    stage('setup', [check(tsx, 'scripts/test/setUp.ts')], { limitMinutes: 30 }),
    stage(
      'e2e',
      partsOf('e2e', (folder) => mocha(folder).map((command) => ({ ...command, hasSecondTry: true }))),
      { ...window, limitMinutes: 40 },
    ),
    // A page in Chromium alone is light enough to run beside a window.
    stage('webview', [mocha('webview')], { ...window, hasWindows: false, limitMinutes: 20 }),
    stage('host', [hostSuite('host'), hostSuite('host/virtual', '--virtual')], { ...window, limitMinutes: 20 }),
    stage(
      'types',
      typeScriptProjects().map((project) => check(binOf('typescript', 'tsc'), '--noEmit', '-p', project)),
    ),
    stage('lint', [check(binOf('oxlint'), '-c', 'oxlint.config.mjs', '--type-aware', '--deny-warnings')]),
    stage('format', [check(binOf('prettier'), '--check', '--log-level', 'warn', '.')]),
    stage('knip', [check(binOf('knip'))]),
    stage('unit', [mocha('unit')], { limitMinutes: 20 }),
    // These tests search with the program from VS Code's server.
    stage('contract', [mocha('contract')], { needs: ['setup'] }),
    // These tests set up a real model server of their own.
    stage('live', [mocha('live')], { limitMinutes: 15 }),
    stage('integration', partsOf('integration', mocha), { needs: ['setup'], limitMinutes: 60 }),
    stage('package', [[...check(tsx, 'scripts/package.ts'), ...mocha('package')]], {
      needs: ['setup'],
      after: ['build', 'e2e', 'webview', 'host'],
      hasWindows: true,
      limitMinutes: 15,
    }),
  ];
}

/** One part for each folder with tests in it. Throws if a test file lies beside the folders, because no part runs it. */
function partsOf(folder: string, mocha: (folder: string) => readonly Command[]): Stage['parts'] {
  const entries = readdirSync(path.join(projectRoot, 'test', folder), { withFileTypes: true });
  const loose = entries.find(({ name }) => isTestFile(name));
  if (loose !== undefined) throw new Error(`Move test/${folder}/${loose.name} into a folder of test/${folder}.`);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'support');
  return folders.map(({ name }) => mocha(`${folder}/${name}`));
}

/** The test files of a folder and its subfolders, relative to the project. Throws if there is none. */
function testFilesBelow(folder: string): readonly string[] {
  const files = filesBelow(folder).filter(isTestFile);
  if (files.length === 0) throw new Error(`There is no test file in ${folder}.`);
  return files;
}

function isTestFile(name: string): boolean {
  return /\.test\.tsx?$/.test(name);
}

/** The project itself, and each folder below `src` and `test` with its own compiler settings. */
function typeScriptProjects(): readonly string[] {
  const files = [...filesBelow('src'), ...filesBelow('test')];
  return ['tsconfig.json', ...files.filter((file) => path.posix.basename(file) === 'tsconfig.json')];
}

/** Relative to the project, with slashes, sorted. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted();
}

function binOf(packageName: string, bin: string = packageName): string {
  const folder = path.join(projectRoot, 'node_modules', packageName);
  const manifest = require(path.join(folder, 'package.json')) as { readonly bin: string | Record<string, string> };
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin];
  if (file === undefined) throw new Error(`${packageName} has no program "${bin}".`);
  return path.join(folder, file);
}
