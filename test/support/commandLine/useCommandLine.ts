import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { ModelServer } from '../servers/modelServer';
import {
  runCli,
  startCli,
  startCliInTerminal,
  startCliWithAnswerIn,
  type CliEnded,
  type CliInTerminal,
  type StartedCli,
} from './commandLine';
import { startHere, type CliHere, type HereOptions } from './startHere';

type Files = Readonly<Record<string, string>>;
type Environment = Readonly<Record<string, string>>;

/** The folder, home, model server and command line of one test. */
export interface CommandLine {
  readonly server: ModelServer;
  /** The working folder of the command line. */
  readonly folder: string;
  /** The home folder, with sessions and settings. */
  readonly home: string;
  /** `--base-url` and `--model` for the server. */
  readonly flags: readonly string[];
  /** Ends the server and starts another. */
  replaceServer(start: () => Promise<ModelServer>): Promise<void>;
  /** Runs a process without a terminal until it ends. */
  run(args: readonly string[], options?: { readonly env?: Environment; readonly stdin?: string }): Promise<CliEnded>;
  /** Starts a process without a terminal and does not wait for its end. */
  start(args: readonly string[]): StartedCli;
  /** Starts a process in a pseudo-terminal. Ends it after the test. */
  startInTerminal(args: readonly string[], env?: Environment): CliInTerminal;
  /** The same with standard output in a file of the folder. */
  startWithAnswerIn(file: string, args: readonly string[]): CliInTerminal;
  /** Starts the command line in this process. */
  startHere(args: readonly string[], options?: Omit<HereOptions, 'folder' | 'home'>): CliHere;
}

/** Makes them before each test of the surrounding `describe` and removes them after the test. */
export function useCommandLine(options: { readonly files: Files | ((home: string) => Files) }): CommandLine {
  let parts: { server: ModelServer; readonly home: TemporaryFolder; readonly folder: TemporaryFolder };
  const terminals: CliInTerminal[] = [];

  beforeEach(async () => {
    const home = await createTemporaryFolder();
    const files = typeof options.files === 'function' ? options.files(home.path) : options.files;
    parts = { server: await ModelServer.start(), home, folder: await createTemporaryFolder(files) };
  });

  afterEach(async () => {
    for (const terminal of terminals.splice(0)) await terminal[Symbol.asyncDispose]();
    await parts.server.dispose();
    await parts.home.dispose();
    await parts.folder.dispose();
  });

  const place = (env: Environment = { NO_COLOR: '1' }) => ({ folder: parts.folder.path, home: parts.home.path, env });
  const keep = (terminal: CliInTerminal): CliInTerminal => {
    terminals.push(terminal);
    return terminal;
  };
  return {
    get server() {
      return parts.server;
    },
    get folder() {
      return parts.folder.path;
    },
    get home() {
      return parts.home.path;
    },
    get flags() {
      return ['--base-url', parts.server.baseUrl, '--model', 'm'];
    },
    async replaceServer(start) {
      await parts.server.dispose();
      parts.server = await start();
    },
    run: (args, { env, stdin } = {}) => runCli(args, place(env), stdin),
    start: (args) => startCli(args, place()),
    startInTerminal: (args, env) => keep(startCliInTerminal(args, place(env))),
    startWithAnswerIn: (file, args) => keep(startCliWithAnswerIn(file, args, place({}))),
    startHere: (args, here) => startHere(args, { ...place(), ...here }),
  };
}
