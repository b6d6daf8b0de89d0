import path from 'node:path';
import { runCommand } from '../../../scripts/process';
import { createTemporaryFolder } from '../files/temporaryFolder';

const versions = ['22', '24'] as const;

/** A version beside the one of the tests, which is `undefined`. */
type Version = (typeof versions)[number] | undefined;

/** Every version in both formats of modules. */
export const ways = [undefined, ...versions].flatMap((version) =>
  (['esm', 'cjs'] as const).map((format) => [version, format] as const),
);

/** For the name of a test. */
export function describeNode(version: Version): string {
  return version === undefined ? 'this Node' : `Node ${version}, where it can be installed`;
}

/** Other versions of Node, from npm. */
export interface OtherNodes extends AsyncDisposable {
  /** The path of the program. `undefined` where it could not be installed. */
  programOf(version: Version): string | undefined;
}

/** Installs the other versions into a folder of their own. Tells on the console why they are missing. */
export async function installNodes(): Promise<OtherNodes> {
  const folder = await createTemporaryFolder({ 'package.json': '{}' });
  const system = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const names = versions.map((version) => `node${version}@npm:${system}@${version}`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...names];
  const programs = new Map<string, string>();
  try {
    await runCommand(npm, args, { cwd: folder.path });
    for (const version of versions) {
      const program = path.join(folder.path, 'node_modules', `node${version}`, 'bin', 'node');
      if ((await runCommand(program, ['--version'])).startsWith(`v${version}.`)) programs.set(version, program);
    }
  } catch (error) {
    console.log(`      Node ${versions.join(' and ')} cannot be installed: ${(error as Error).message.split('\n')[0]}`);
  }
  return {
    programOf: (version) => (version === undefined ? process.execPath : programs.get(version)),
    [Symbol.asyncDispose]: () => folder.dispose(),
  };
}
