import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
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
  /** Its tests open VS Code or Chromium. */
  readonly hasWindows: boolean;
}

/** A Node program with its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The command runs tests and writes their counts to a file. Any other command counts as one check. */
  readonly hasCounts: boolean;
}

type StageDetails = Partial<Omit<Stage, 'name' | 'parts'>>;

function stage(name: string, parts: Stage['parts'], details: StageDetails = {}): Stage {
  return { name, parts, limitMinutes: 10, needs: [], after: [], hasWindows: false, ...details };
}

function check(program: string, ...args: string[]): readonly Command[] {
  return [{ program, args, hasCounts: false }];
}

/**
 * All stages, in the order in which free lanes take them. Windows run early because packaging waits for them:
 * it replaces the files in `dist` that the windows load.
 */
export function stagesOf(options: { readonly grep: string | undefined }): readonly Stage[] {
  const tsx = binOf('tsx');
  const grep = options.grep === undefined ? [] : ['--grep', options.grep];
  const color = process.stdout.isTTY ? ['--color'] : [];
  const mocha = (files: string): readonly Command[] => {
    const args = [...color, ...grep, `test/${files}/**/*.test.{ts,tsx}`];
    return [{ program: binOf('mocha'), args, hasCounts: true }];
  };
  const hostSuite = (...args: string[]): readonly Command[] => [
    { program: tsx, args: ['scripts/runHostTests.ts', ...args, ...grep], hasCounts: true },
  ];
  const window = { needs: ['build', 'setup'], hasWindows: true };
  return [
    stage('build', [check('esbuild.js')]),
    stage('setup', [check(tsx, 'scripts/test/setUp.ts')], { limitMinutes: 30 }),
    stage('e2e', partsOf('e2e', mocha), { ...window, limitMinutes: 40 }),
    stage('host', [hostSuite(), hostSuite('--virtual')], { ...window, limitMinutes: 20 }),
    stage('webview', [mocha('webview')], { ...window, limitMinutes: 20 }),
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
    stage('integration', partsOf('integration', mocha), { needs: ['setup'], limitMinutes: 30 }),
    stage('package', [[...check(tsx, 'scripts/package.ts'), ...mocha('package')]], {
      needs: ['setup'],
      after: ['build', 'e2e', 'host', 'webview'],
      hasWindows: true,
      limitMinutes: 15,
    }),
  ];
}

/** One part for each folder with tests in it. */
function partsOf(folder: string, mocha: (files: string) => readonly Command[]): Stage['parts'] {
  const names = readdirSync(path.join(projectRoot, 'test', folder), { withFileTypes: true });
  return names
    .filter((entry) => entry.isDirectory() && entry.name !== 'support')
    .map(({ name }) => mocha(`${folder}/${name}`));
}

/** The project itself, and each folder with its own compiler settings. */
function typeScriptProjects(): readonly string[] {
  const own = ['src', 'test'].flatMap((top) =>
    readdirSync(path.join(projectRoot, top)).map((name) => path.join(top, name, 'tsconfig.json')),
  );
  return ['tsconfig.json', ...own.filter((file) => existsSync(path.join(projectRoot, file)))];
}

function binOf(packageName: string, bin: string = packageName): string {
  const folder = path.join(projectRoot, 'node_modules', packageName);
  const manifest = require(path.join(folder, 'package.json')) as { readonly bin: string | Record<string, string> };
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin];
  if (file === undefined) throw new Error(`${packageName} has no program "${bin}".`);
  return path.join(folder, file);
}
