import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { draftName, isAbandoned, isDraftName } from '../files/drafts';
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

/** What the record of a command says before it starts. */
export interface StartingCommand {
  /** The value of its `RUN_VARIABLE`. */
  readonly runId: string;
  readonly command: string;
  readonly cwd: string;
}

/** One command on its way. Its functions never throw: a command may run without a record. */
export interface CommandRecord {
  /** Adds the first process of the command. Only Linux finds a command without it. */
  started(pid: number): void;
  /** Removes the record. */
  ended(): void;
}

/** Records on disk which commands run, so that they are found again after a crash. */
export interface CommandRecords {
  /**
   * Records a command that is about to start, so that it is found even if the window dies while it starts. Never rejects.
   */
  starting(command: StartingCommand): Promise<CommandRecord>;
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
  /** Absent until the command has started. */
  leader: Process.optional(),
  owner: Process,
});
type Run = z.infer<typeof Run>;

/** One file for each running command. Several windows may share the folder. No records if start times are unknown. */
export function createCommandRecords(folder: string, owner: number = process.pid): CommandRecords {
  return {
    async starting({ runId, command, cwd }) {
      const ownerStart = startOf(owner);
      if (ownerStart === undefined) return NO_RECORD;
      const file = path.join(folder, `${runId}.json`);
      const draft = await draftName(file);
      const write = (run: Run): void => writeWhole(file, draft, JSON.stringify(run));
      const run: Run = {
        version: 1,
        runId,
        command,
        cwd,
        startedMs: Date.now(),
        boot: bootId(),
        owner: { pid: owner, startedAt: ownerStart },
      };
      write(run);
      return {
        started(pid) {
          const leaderStart = startOf(pid);
          if (leaderStart !== undefined) write({ ...run, leader: { pid, startedAt: leaderStart } });
        },
        ended: () => rmSync(file, { force: true }),
      };
    },

    async findOrphans() {
      const orphans: OrphanedCommand[] = [];
      for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
        const file = path.join(folder, name);
        if (isDraftName(name)) await removeAbandoned(file);
        if (!name.endsWith('.json')) continue;
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

const NO_RECORD: CommandRecord = { started: () => {}, ended: () => {} };

/** Other windows read the file at any time, and take an incomplete one for a damaged one. */
function writeWhole(file: string, draft: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // With a full disk the command still runs, because a person allowed it.
    rmSync(draft, { force: true });
  }
}

async function removeAbandoned(draft: string): Promise<void> {
  const stats = await unlessMissing(fs.stat(draft));
  if (stats && (await isAbandoned(draft, Date.now() - stats.mtimeMs))) rmSync(draft, { force: true });
}

/** `undefined` if none of its processes runs any more. */
async function findTree({ runId, leader }: Run): Promise<ProcessTree | undefined> {
  const all = await listProcesses();
  const isLeader =
    leader !== undefined && all.some(({ pid, startedAt }) => pid === leader.pid && startedAt === leader.startedAt);
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
