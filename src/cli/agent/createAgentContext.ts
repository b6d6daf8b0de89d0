import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ModelAccess } from '../../agent/servers/access/modelAccess';
import type { AgentArguments } from '../arguments/resolveArguments';
import type { CliProcess } from '../cliProcess';
import type { CliSettings } from '../arguments/cliSettings';
import { dataFolderIn, type DataFolder } from '../arguments/dataFolder';
import { createDraftRecords, type DraftRecords } from '../../workspace/node/files/draftRecords';
import { messageOf } from '../../util/errors';
import { createQuirkFile } from './quirkFile';
import { openCliModelAccess } from './cliModelAccess';

/** What every command that starts the agent needs. */
export interface AgentContext {
  readonly given: AgentArguments;
  readonly settings: CliSettings;
  readonly cli: CliProcess;
  readonly data: DataFolder;
  /** The working folder, absolute. */
  readonly folder: string;
  readonly modelAccess: ModelAccess;
  readonly drafts: DraftRecords;
  /** Writes to standard error. */
  readonly log: (text: string) => void;
  readonly onInternalError: (error: unknown) => void;
}

/** Prints the problem and returns `undefined` when there is no folder to work in. */
export async function createAgentContext(
  given: AgentArguments,
  settings: CliSettings,
  cli: CliProcess,
): Promise<AgentContext | undefined> {
  const log = (text: string): void => void cli.stderr.write(text);
  if (given.warning !== undefined) log(`Warning: ${given.warning}\n`);
  const named = path.resolve(cli.cwd, given.cwd ?? '.');
  if (!(await isFolder(named))) {
    log(`${named} is not a folder.\n`);
    return undefined;
  }
  // Sessions belong to the real folder, so that links to it find the same ones.
  const folder = await realpath(named);
  const data = dataFolderIn(cli.homeDirectory);
  const drafts = createDraftRecords(data.drafts);
  const onInternalError = (error: unknown): void => log(`Internal error: ${messageOf(error)}\n`);
  await drafts.clearUp(Date.now()).catch(onInternalError);
  const modelAccess = await openCliModelAccess(given, cli, createQuirkFile(data.quirkFile, drafts));
  return { given, settings, cli, data, folder, modelAccess, drafts, log, onInternalError };
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    // A missing and an unreadable folder are the same here: nothing to work in.
    return false;
  }
}
