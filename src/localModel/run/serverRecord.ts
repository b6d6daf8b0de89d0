import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../util/json';
import { startOf } from '../../workspace/node/processes/processTable';

const recordSchema = z.strictObject({
  pid: z.number().int().positive(),
  /** When the process started, as the system says it. */
  startedAt: z.string().min(1).max(200),
});

/** Writes down the running server, so that the next keeper can end it after this one was killed. */
export async function recordServer(folder: string, pid: number): Promise<void> {
  const startedAt = pid > 0 ? startOf(pid) : undefined;
  if (startedAt === undefined) return;
  await writeFile(fileIn(folder), JSON.stringify({ pid, startedAt }), { mode: 0o600 });
}

/** Forgets the server that has ended. The record of another one, which the next keeper has started meanwhile, stays. */
export async function forgetServer(folder: string, pid: number | undefined): Promise<void> {
  if ((await readRecord(folder))?.pid === pid) await rm(fileIn(folder), { force: true });
}

/** Whether the recorded server still runs. */
export async function isServerRecorded(folder: string): Promise<boolean> {
  const record = await readRecord(folder);
  return record !== undefined && startOf(record.pid) === record.startedAt;
}

/** Ends the recorded server if it still runs. A later process with its number is left alone. */
export async function endRecordedServer(folder: string): Promise<void> {
  const record = await readRecord(folder);
  if (record && startOf(record.pid) === record.startedAt) {
    try {
      process.kill(record.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  await rm(fileIn(folder), { force: true });
}

async function readRecord(folder: string): Promise<z.infer<typeof recordSchema> | undefined> {
  return recordSchema.safeParse(parseJson(await readFile(fileIn(folder), 'utf8').catch(() => ''))).data;
}

function fileIn(folder: string): string {
  return path.join(folder, 'server.json');
}
