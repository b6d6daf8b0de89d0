import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../projectRoot';

/** A part of `npm test`: commands that run one after the other until one fails. */
export interface Stage {
  readonly name: string;
  readonly commands: readonly Command[];
  readonly limitMinutes: number;
}

/** A Node program with its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** It leaves the counts of its tests in a file; anything else counts as one, passed or failed. */
  readonly counts: boolean;
}

function check(program: string, ...args: string[]): Command {
  return { program, args, counts: false };
}

function mocha(folder: string, timeoutSeconds: number, grep: string | undefined): Command {
  const args = ['--timeout', String(timeoutSeconds * 1000), `test/${folder}/**/*.test.{ts,tsx}`];
  return { program: binOf('mocha'), args: grep === undefined ? args : [...args, '--grep', grep], counts: true };
}

/** All stages, in the order in which they run: what fails fastest first. */
export function stagesOf(options: { readonly grep: string | undefined }): readonly Stage[] {
  const { grep } = options;
  const tsx = binOf('tsx');
  const package_ = existsSync(path.join(projectRoot, 'test', 'package')) ? [mocha('package', 180, grep)] : [];
  return [
    {
      name: 'types',
      limitMinutes: 5,
      commands: typeScriptProjects().map((project) => check(binOf('typescript', 'tsc'), '--noEmit', '-p', project)),
    },
    {
      name: 'lint',
      limitMinutes: 5,
      commands: [check(binOf('oxlint'), '-c', 'oxlint.config.mjs', '--type-aware', '--deny-warnings')],
    },
    { name: 'format', limitMinutes: 5, commands: [check(binOf('prettier'), '--check', '--log-level', 'warn', '.')] },
    { name: 'knip', limitMinutes: 5, commands: [check(binOf('knip'))] },
    { name: 'build', limitMinutes: 5, commands: [check('esbuild.js')] },
    { name: 'unit', limitMinutes: 10, commands: [mocha('unit', 10, grep)] },
    { name: 'contract', limitMinutes: 5, commands: [mocha('contract', 30, grep)] },
    { name: 'integration', limitMinutes: 25, commands: [mocha('integration', 60, grep)] },
    { name: 'webview', limitMinutes: 15, commands: [mocha('webview', 60, grep)] },
    {
      name: 'host',
      limitMinutes: 20,
      commands: [[], ['--virtual']].map((args) => ({
        program: tsx,
        args: ['scripts/runHostTests.ts', ...args, ...(grep === undefined ? [] : ['--grep', grep])],
        counts: true,
      })),
    },
    { name: 'e2e', limitMinutes: 40, commands: [mocha('e2e', 180, grep)] },
    { name: 'package', limitMinutes: 10, commands: [check(tsx, 'scripts/package.ts'), ...package_] },
  ];
}

/** The project itself, and each folder that is compiled with settings of its own. */
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
