import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CommandOutcome, CommandRunner, Confinement } from '../../../workspace/ports';
import { createConfinement, type NodeConfinement } from '../../../workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../workspace/node/commands/nodeCommandRunner';
import { parseJson } from '../../../util/json';
import { checkFile, type TaskCase } from '../examTask';
import { createTaskFolder, writeFiles, type TaskFolder } from './taskFolder';

/** What keeps the programs of an exam in their folder. `none`: nothing does, so none is run. */
export type CheckConfinement = 'bubblewrap' | 'node' | 'none';

/** Runs the JavaScript of tasks, which the model may have written. */
export interface CheckRunner {
  readonly confinement: CheckConfinement;
  /** Runs the check as the model asked for it. */
  run(folder: TaskFolder, options: CheckOptions): Promise<CommandOutcome>;
  /** The values of the code in the folder. `undefined`: it failed, did not end, or its values are no JSON. */
  valuesOf(folder: TaskFolder, wanted: readonly WantedValue[], signal: AbortSignal): Promise<unknown>;
}

/** A case without its result. */
export type WantedValue = Omit<TaskCase, 'result'>;

export interface CheckOptions {
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Asks the code for some values and prints them as JSON in the last line. It knows the arguments and not the results: code that wants
 * to look right has to be right, whatever it does to this process.
 */
const valuesScript = (wanted: readonly WantedValue[]): string => `const values = [];
for (const { path, name, args } of ${JSON.stringify(wanted)}) {
  const module = await import('./' + path);
  values.push(args === undefined ? module[name] : module[name](...args));
}
process.stdout.write('\\n' + JSON.stringify(values) + '\\n');
`;
const valuesFile = '.exam-values.mjs';

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
  /** For tests of code that does not end. */
  readonly timeoutMs?: number | undefined;
}

/** Finds out how checks can be confined here, by trying it. Never runs one that could read other files. */
export async function createCheckRunner(parts: CheckRunnerParts = {}): Promise<CheckRunner> {
  const { confinement = createConfinement(), program = process.execPath, timeoutMs = DEFAULT_TIMEOUT_MS } = parts;
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
        timeoutMs,
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
    async valuesOf(folder, wanted, signal) {
      if (!cage) return undefined;
      await writeFiles(folder.path, { [valuesFile]: valuesScript(wanted) });
      try {
        const { exitCode, output } = await startIn(cage, folder, [valuesFile], { signal, onOutput: () => {} });
        return exitCode === 0 ? parseJson(output.trimEnd().split('\n').at(-1) ?? '') : undefined;
      } finally {
        await rm(path.join(folder.path, valuesFile), { recursive: true, force: true });
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
