import { randomUUID } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CommandOutcome, CommandRunner, Confinement } from '../../../workspace/ports';
import { createConfinement, type NodeConfinement } from '../../../workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../workspace/node/commands/nodeCommandRunner';
import { checkFile } from '../examTask';
import { createTaskFolder, writeFiles, type TaskFolder } from './taskFolder';

/** What keeps the programs of an exam in their folder. `none`: nothing does, so none is run. */
export type CheckConfinement = 'bubblewrap' | 'node' | 'none';

/** Runs the JavaScript of tasks, which the model may have written. */
export interface CheckRunner {
  readonly confinement: CheckConfinement;
  /** Runs the check as the model asked for it. */
  run(folder: TaskFolder, options: CheckOptions): Promise<CommandOutcome>;
  /** Runs the check and returns whether it came to its end without an error. */
  passes(folder: TaskFolder, signal: AbortSignal): Promise<boolean>;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

const TIMEOUT_MS = 20_000;

/** Loads the check and then says a word that the code under test cannot know, so that ending early is no success. */
const witness = `const word = process.argv.pop();
await import('./${checkFile}');
process.stdout.write('\\n' + word);
`;
const witnessFile = '.exam-witness.mjs';

/** Says `kept` only where it runs and the file beside its folder cannot be read. */
const probe = (secret: string): string => `import { readFileSync } from 'node:fs';
try {
  readFileSync(${JSON.stringify(secret)});
} catch {
  process.stdout.write('kept');
}
`;

/** A way to run a program that can read no file outside its folder. */
interface Cage {
  readonly kind: 'bubblewrap' | 'node';
  readonly flag: string | undefined;
  readonly confinement?: Pick<Confinement, 'isSandbox'> | undefined;
}

export interface CheckRunnerParts {
  /** Default: of this machine. */
  readonly confinement?: NodeConfinement | undefined;
  /** Node's flag for permissions; `undefined`: it has none. Default: that of this Node. */
  readonly permissionFlag?: string | undefined;
  /** Absolute path of the program that runs JavaScript. Default: the program of this process. */
  readonly program?: string | undefined;
}

/** Finds out how checks can be confined here, by trying it. Never runs one that could read other files. */
export async function createCheckRunner(parts: CheckRunnerParts = {}): Promise<CheckRunner> {
  const { confinement = createConfinement(), program = process.execPath } = parts;
  const permissionFlag = 'permissionFlag' in parts ? parts.permissionFlag : findPermissionFlag();
  const runner = createNodeCommandRunner({ confinement });
  // Bubblewrap hides temporary folders, and the sandbox the home folder; VS Code's server may lie in one.
  const programs = [path.dirname(await realpath(program))];
  const startIn = (
    { flag, confinement: sandbox }: Cage,
    folder: TaskFolder,
    script: readonly string[],
    { signal, onOutput }: CheckOptions,
  ): Promise<CommandOutcome> => {
    const permissions = flag === undefined ? [] : [flag, `--allow-fs-read=${folder.path}`];
    return runner.run(
      {
        command: commandLine(runner, [program, '--no-warnings', ...permissions, ...script]),
        cwd: folder.path,
        timeoutMs: TIMEOUT_MS,
        // In VS Code, the program is Electron.
        environment: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
        ...(sandbox && { confinement: { allowsNetwork: false, writable: [folder.path], programs, ...sandbox } }),
      },
      { signal, onOutput },
    );
  };
  const hasBubblewrap = (await confinement.findProblem()) === undefined;
  const cage = await firstThatHolds(cages(hasBubblewrap, permissionFlag), startIn);
  const refused: CommandOutcome = {
    exitCode: null,
    signalName: null,
    ended: 'failed_to_start',
    output: 'Programs cannot be confined on this machine, so none is run.',
    omittedBytes: 0,
  };
  return {
    confinement: cage?.kind ?? 'none',
    run: async (folder, options) => (cage ? startIn(cage, folder, [checkFile], options) : refused),
    async passes(folder, signal) {
      if (!cage) return false;
      const word = randomUUID();
      await writeFiles(folder.path, { [witnessFile]: witness });
      try {
        const { exitCode, output } = await startIn(cage, folder, [witnessFile, word], { signal, onOutput: () => {} });
        return exitCode === 0 && output.trimEnd().endsWith(word);
      } finally {
        await rm(path.join(folder.path, witnessFile), { force: true });
      }
    },
  };
}

/** The ways to try, the strictest first. Bubblewrap's plain confinement shows most files, so it needs Node's permissions. */
function cages(hasBubblewrap: boolean, flag: string | undefined): readonly Cage[] {
  const sandbox = { kind: 'bubblewrap', confinement: { isSandbox: true } } as const;
  const plain = { kind: 'bubblewrap', confinement: {} } as const;
  const withFlag = flag === undefined ? [] : [...(hasBubblewrap ? [sandbox, plain] : []), { kind: 'node' } as const];
  const [first, ...others] = withFlag.map((cage): Cage => ({ ...cage, flag }));
  return [...(first ? [first] : []), ...(hasBubblewrap ? [{ ...sandbox, flag: undefined }] : []), ...others];
}

function findPermissionFlag(): string | undefined {
  return ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags.has(flag));
}

/** The first way in which a program starts and cannot read a file beside its folder. */
async function firstThatHolds(
  tried: readonly Cage[],
  startIn: (
    cage: Cage,
    folder: TaskFolder,
    script: readonly string[],
    options: CheckOptions,
  ) => Promise<CommandOutcome>,
): Promise<Cage | undefined> {
  await using folder = await createTaskFolder({});
  const secret = path.join(folder.beside, 'secret.txt');
  await writeFiles(folder.beside, { 'secret.txt': 'x' });
  await writeFiles(folder.path, { 'probe.mjs': probe(secret) });
  const options = { signal: new AbortController().signal, onOutput: () => {} };
  for (const cage of tried) {
    const { ended, exitCode, output } = await startIn(cage, folder, ['probe.mjs'], options);
    if (ended === 'exited' && exitCode === 0 && output.endsWith('kept')) return cage;
  }
  return undefined;
}

function commandLine({ shellName }: CommandRunner, words: readonly string[]): string {
  if (shellName === 'powershell') return `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}`;
  if (shellName === 'cmd') return words.map((word) => `"${word}"`).join(' ');
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
