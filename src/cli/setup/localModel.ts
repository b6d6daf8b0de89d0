import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readState } from '../../localModel/localState';
import { LocalServer } from '../../localModel/run/localServer';
import { OwnRequests } from '../../localModel/run/ownRequests';
import type { Configuration } from '../../sdk/configuration/configuration';
import { messageOf } from '../../util/errors';
import type { AgentArguments } from '../arguments/resolveArguments';
import type { CliProcess } from '../cliProcess';
import { dataFolderIn } from '../arguments/dataFolder';
import { safeTerminalText } from '../terminal/safeTerminalText';

/** The folder of the model on this machine: the one that the person has named, or one in the data folder. */
export function localModelFolder({ homeDirectory }: Pick<CliProcess, 'homeDirectory'>): string {
  const { localModels, localModelsPath } = dataFolderIn(homeDirectory);
  const named = existsSync(localModelsPath) ? readFileSync(localModelsPath, 'utf8').trim() : '';
  return path.isAbsolute(named) ? named : localModels;
}

/** Uses this folder from now on. It must be absolute. */
export async function keepLocalModelFolder(
  folder: string,
  { homeDirectory }: Pick<CliProcess, 'homeDirectory'>,
): Promise<void> {
  const { folder: data, localModelsPath } = dataFolderIn(homeDirectory);
  await mkdir(data, { recursive: true, mode: 0o700 });
  await writeFile(localModelsPath, `${folder}\n`, { mode: 0o600 });
}

/** A command that runs for long may leave the model unused for long. */
const IDLE_MS = 30 * 60_000;

/** The model server of this machine. It starts nothing before its `start`. */
export function openLocalServer(cli: Pick<CliProcess, 'homeDirectory' | 'stderr'>): LocalServer {
  return new LocalServer({
    folder: () => localModelFolder(cli),
    program: { file: path.join(__dirname, 'keeperProcess.js') },
    idleMs: () => IDLE_MS,
    onInternalError: (error) => void cli.stderr.write(`Warning: ${safeTerminalText(messageOf(error))}\n`),
  });
}

/**
 * Starts the model that `open-agent setup` has set up, when no server is named, and waits until it is loaded. The lease lasts as long
 * as the process, and requests start the model again after it was stopped. Returns what was given when there is no such model, or when
 * it cannot be started.
 */
export async function withLocalModel<T extends Configuration>(
  given: T,
  cli: CliProcess,
): Promise<T & Pick<AgentArguments, 'ownServer'>> {
  if (given.baseUrl !== '' || !existsSync(localModelFolder(cli))) return given;
  const { chosen } = await readState(localModelFolder(cli));
  if (!chosen || (given.model !== '' && given.model !== chosen.name)) return given;
  const server = openLocalServer(cli);
  try {
    cli.stderr.write(`Loading ${safeTerminalText(chosen.name)} on this machine …\n`);
    const status = await server.start(cli.signal, { untilReady: true });
    if (status.kind === 'ready') {
      if (status.crashed !== undefined) cli.stderr.write(`Warning: ${crashText(status.crashed)}\n`);
      server.unref();
      const key = { baseUrl: status.baseUrl, value: status.key };
      return { ...given, baseUrl: status.baseUrl, key, ownServer: requestsTo(server) };
    }
    const why = status.kind === 'failed' ? `${status.message}\n${status.lastWords}` : 'It was stopped.';
    cli.stderr.write(`Warning: The model of this machine cannot be used. ${safeTerminalText(why)}\n`);
  } catch (error) {
    if (!cli.signal.aborted) {
      cli.stderr.write(`Warning: The model of this machine cannot be used. ${safeTerminalText(messageOf(error))}\n`);
    }
  }
  server.dispose();
  return given;
}

function requestsTo(server: LocalServer): OwnRequests {
  const requests = new OwnRequests({
    status: () => server.status,
    start: async (signal) => {
      // The lease alone would let the process end.
      const alive = setInterval(() => {}, 60_000);
      try {
        return await server.start(signal, { untilReady: true });
      } finally {
        clearInterval(alive);
      }
    },
  });
  requests.note(server.status);
  server.onChange(() => requests.note(server.status));
  return requests;
}

/** That the model server crashed and was started again, with its last output. */
export function crashText(lastWords: string): string {
  return `The model server crashed, and was started again. Its last output:\n${safeTerminalText(lastWords)}`;
}
