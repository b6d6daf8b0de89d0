import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/unlessMissing';
import { hasVariable, listProcesses, startOf } from '../processes/processTable';
import { ProcessTree, RUN_VARIABLE } from '../processes/processTree';

/** A command whose window ended without ending it. */
export interface OrphanedCommand {
  readonly command: string;
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** Ends it with everything it started; pids of what cannot be ended. */
  end(): Promise<readonly number[]>;
  /** Leaves it running and does not find it again. */
  forget(): void;
}

export interface StartedCommand {
  readonly runId: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
}

/** Says on disk what runs, so that what is left after a crash is found again. */
export interface CommandRecords {
  /** Call the result when it has ended. Never throws: a command runs without a record as well. */
  started(run: StartedCommand): () => void;
  /**
   * What still runs of windows that are gone. A process counts as one only when its pid has the recorded start, or when
   * it carries the command's variable: a pid that is used again by somebody else is left alone.
   */
  findOrphans(): Promise<readonly OrphanedCommand[]>;
}

const Process = z.object({ pid: z.int().min(2), startedAt: z.string().min(1) });
const Run = z.object({
  version: z.literal(1),
  runId: z.string().min(8),
  command: z.string(),
  cwd: z.string(),
  startedMs: z.number(),
  /** Which start of the machine the processes belong to. */
  boot: z.string(),
  leader: Process,
  owner: Process,
});
type Run = z.infer<typeof Run>;

/** A file for each command that runs. Several windows may share the folder. Keeps nothing where starts are not known. */
export function createCommandRecords(folder: string, owner: number = process.pid): CommandRecords {
  return {
    started({ runId, pid, command, cwd }) {
      const file = path.join(folder, `${runId}.json`);
      const [leaderStart, ownerStart] = [startOf(pid), startOf(owner)];
      if (leaderStart === undefined || ownerStart === undefined) return () => {};
      const run: Run = {
        version: 1,
        runId,
        command,
        cwd,
        startedMs: Date.now(),
        boot: bootId(),
        leader: { pid, startedAt: leaderStart },
        owner: { pid: owner, startedAt: ownerStart },
      };
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(file, JSON.stringify(run), { mode: 0o600 });
      } catch {
        // A full disk is no reason not to run what a person has allowed.
        return () => {};
      }
      return () => rmSync(file, { force: true });
    },

    async findOrphans() {
      const orphans: OrphanedCommand[] = [];
      for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
        if (!name.endsWith('.json')) continue;
        const file = path.join(folder, name);
        const run = await readRun(file);
        if (run && run.boot === bootId() && startOf(run.owner.pid) === run.owner.startedAt) continue;
        const tree = run && run.boot === bootId() ? await findTree(run) : undefined;
        if (!run || !tree) {
          rmSync(file, { force: true });
          continue;
        }
        const { command, cwd, startedMs } = run;
        const forget = (): void => rmSync(file, { force: true });
        const end = async (): Promise<readonly number[]> => {
          const { surviving } = await tree.end();
          forget();
          return surviving;
        };
        orphans.push({ command, cwd, startedMs, end, forget });
      }
      return orphans;
    },
  };
}

/** `undefined` when nothing runs of it any more. */
async function findTree({ runId, leader }: Run): Promise<ProcessTree | undefined> {
  const all = await listProcesses();
  const isLeader = all.some(({ pid, startedAt }) => pid === leader.pid && startedAt === leader.startedAt);
  // Where nobody tells the variables, only the first process is certain.
  if (!isLeader && !all.some(({ pid }) => hasVariable(pid, RUN_VARIABLE, runId))) return undefined;
  // A group of that number may belong to others by now, unless it is led by the command's own process.
  return new ProcessTree({ leader: isLeader ? leader.pid : NO_GROUP, runId });
}

const NO_GROUP = -1;

async function readRun(file: string): Promise<Run | undefined> {
  try {
    return Run.parse(JSON.parse(await fs.readFile(file, 'utf8')));
  } catch {
    // Torn by the crash, or no record at all: nothing can be found by it.
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not Linux: a start there is a date.
    return '';
  }
}
