import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/unlessMissing';
import { hasVariable, listProcesses, startOf } from '../processes/processTable';
import { ProcessTree, RUN_VARIABLE } from '../processes/processTree';

/** A command that still runs although its window has ended. */
export interface OrphanedCommand {
  readonly command: string;
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** Ends it and everything it started. Returns the ids of processes that could not be ended. */
  end(): Promise<readonly number[]>;
  /** Leaves it running. It is not found again. */
  forget(): void;
}

export interface StartedCommand {
  readonly runId: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
}

/** Records on disk which commands run, so that they are found again after a crash. */
export interface CommandRecords {
  /** The result is to be called when the command has ended. Never throws: a command may run without a record. */
  started(run: StartedCommand): () => void;
  /**
   * The commands that still run although their window is gone. A process only counts if its pid has the recorded start time,
   * or if it has the command's variable. So a reused pid is left alone.
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
  /** Identifies the start of the machine. */
  boot: z.string(),
  leader: Process,
  owner: Process,
});
type Run = z.infer<typeof Run>;

/** One file for each running command. Several windows may share the folder. No records if start times are unknown. */
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
        // With a full disk the command still runs, because a person allowed it.
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

/** `undefined` if none of its processes runs any more. */
async function findTree({ runId, leader }: Run): Promise<ProcessTree | undefined> {
  const all = await listProcesses();
  const isLeader = all.some(({ pid, startedAt }) => pid === leader.pid && startedAt === leader.startedAt);
  // Only Linux shows variables. Elsewhere only the first process is certain.
  if (!isLeader && !all.some(({ pid }) => hasVariable(pid, RUN_VARIABLE, runId))) return undefined;
  // Without its leader, the group may now belong to other processes.
  return new ProcessTree({ leader: isLeader ? leader.pid : NO_GROUP, runId });
}

const NO_GROUP = -1;

async function readRun(file: string): Promise<Run | undefined> {
  try {
    return Run.parse(JSON.parse(await fs.readFile(file, 'utf8')));
  } catch {
    // Damaged by the crash, or not a record.
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not Linux: start times are dates there.
    return '';
  }
}
