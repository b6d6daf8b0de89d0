import { randomUUID } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CommandOutcome, CommandRunner } from '../../../workspace/ports';
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

/** Differs from the codes with which shells, Node and bubblewrap fail. */
const PROBE_FAILED = 42;

/** Succeeds only where Node's permissions hold: the file beside the folder cannot be read. */
const probe = (secret: string): string => `import { readFileSync } from 'node:fs';
try {
  readFileSync(${JSON.stringify(secret)});
  process.exitCode = ${PROBE_FAILED};
} catch (error) {
  process.exitCode = error.code === 'ERR_ACCESS_DENIED' ? 0 : ${PROBE_FAILED};
}
`;

export interface CheckRunnerParts {
  /** Default: of this machine. */
  readonly confinement?: NodeConfinement | undefined;
  /** Node's flag for permissions; `undefined`: it has none. Default: that of this Node. */
  readonly permissionFlag?: string | undefined;
  /** Absolute path of the program that runs JavaScript. Default: the program of this process. */
  readonly program?: string | undefined;
}

/** Finds out how checks can be confined here, by trying it. Never runs one that is not confined. */
export async function createCheckRunner(parts: CheckRunnerParts = {}): Promise<CheckRunner> {
  const { confinement = createConfinement(), program = process.execPath } = parts;
  const permissionFlag = 'permissionFlag' in parts ? parts.permissionFlag : findPermissionFlag();
  const runner = createNodeCommandRunner({ confinement });
  const hasBubblewrap = (await confinement.findProblem()) === undefined;
  // Bubblewrap hides temporary folders, and VS Code's server may lie in one.
  const programs = [path.dirname(await realpath(program))];
  const start = (
    folder: TaskFolder,
    script: readonly string[],
    isBare: boolean,
    { signal, onOutput }: CheckOptions,
  ): Promise<CommandOutcome> => {
    const permissions =
      permissionFlag === undefined || isBare ? [] : [permissionFlag, `--allow-fs-read=${folder.path}`];
    return runner.run(
      {
        command: commandLine(runner, [program, '--no-warnings', ...permissions, ...script]),
        cwd: folder.path,
        timeoutMs: TIMEOUT_MS,
        // In VS Code, the program is Electron.
        environment: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
        ...(hasBubblewrap && { confinement: { allowsNetwork: false, writable: [folder.path], programs } }),
      },
      { signal, onOutput },
    );
  };
  const probed = await tryPermissions((folder, script) =>
    start(folder, script, false, { signal: new AbortController().signal, onOutput: () => {} }),
  );
  const kind: CheckConfinement =
    probed === 'no start' ? 'none' : hasBubblewrap ? 'bubblewrap' : probed === 'hold' ? 'node' : 'none';
  const isBare = probed !== 'hold';
  const refused: CommandOutcome = {
    exitCode: null,
    signalName: null,
    ended: 'failed_to_start',
    output: 'Programs cannot be confined on this machine, so none is run.',
    omittedBytes: 0,
  };
  return {
    confinement: kind,
    run: async (folder, options) => (kind === 'none' ? refused : start(folder, [checkFile], isBare, options)),
    async passes(folder, signal) {
      if (kind === 'none') return false;
      const word = randomUUID();
      await writeFiles(folder.path, { [witnessFile]: witness });
      try {
        const { exitCode, output } = await start(folder, [witnessFile, word], isBare, { signal, onOutput: () => {} });
        return exitCode === 0 && output.trimEnd().endsWith(word);
      } finally {
        await rm(path.join(folder.path, witnessFile), { force: true });
      }
    },
  };
}

function findPermissionFlag(): string | undefined {
  return ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags.has(flag));
}

/** `no start`: the program does not run at all, so a check would fail whatever the model wrote. */
async function tryPermissions(
  start: (folder: TaskFolder, script: readonly string[]) => Promise<CommandOutcome>,
): Promise<'hold' | 'fail' | 'no start'> {
  await using folder = await createTaskFolder({});
  const secret = path.join(folder.beside, 'secret.txt');
  await writeFiles(folder.beside, { 'secret.txt': 'x' });
  await writeFiles(folder.path, { 'probe.mjs': probe(secret) });
  const { ended, exitCode } = await start(folder, ['probe.mjs']);
  if (ended !== 'exited') return 'no start';
  return exitCode === 0 ? 'hold' : exitCode === PROBE_FAILED ? 'fail' : 'no start';
}

function commandLine({ shellName }: CommandRunner, words: readonly string[]): string {
  if (shellName === 'powershell') return `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}`;
  if (shellName === 'cmd') return words.map((word) => `"${word}"`).join(' ');
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
