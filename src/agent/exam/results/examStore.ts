import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { serverKey } from '../../servers/serverKey';
import { ExamResult } from './examResult';

/** A result with the server that it was found on: its scheme, host and port. */
const StoredExam = z.object({ endpoint: z.string().max(2_000), result: ExamResult });
export type StoredExam = Readonly<z.infer<typeof StoredExam>>;

const MAX_BYTES = 20_000_000;
const MAX_EXAMS = 300;

/** The results of exams, finished or not, in one JSON file. The newest of each server, model and set is kept. */
export class ExamStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** All results, newest first. Those that cannot be read are left out. */
  async list(): Promise<readonly StoredExam[]> {
    let written: unknown;
    try {
      if ((await stat(this.#file)).size > MAX_BYTES) return [];
      written = JSON.parse(await readFile(this.#file, 'utf8'));
    } catch (error) {
      // No exam was made yet, or the file was cut: then the exams are made again.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    const { exams } = z
      .object({ exams: z.array(z.unknown()) })
      .catch({ exams: [] })
      .parse(written);
    return exams.flatMap((each) => StoredExam.safeParse(each).data ?? []);
  }

  async find(baseUrl: string, { model, seed }: Pick<ExamResult, 'model' | 'seed'>): Promise<ExamResult | undefined> {
    const endpoint = serverKey(baseUrl);
    const found = (await this.list()).find(
      (each) => each.endpoint === endpoint && each.result.model === model && each.result.seed === seed,
    );
    return found?.result;
  }

  /** Keeps a result in place of the earlier one. */
  async save(baseUrl: string, result: ExamResult): Promise<void> {
    const endpoint = serverKey(baseUrl);
    const others = (await this.list()).filter(
      (each) => each.endpoint !== endpoint || each.result.model !== result.model || each.result.seed !== result.seed,
    );
    const exams = [{ endpoint, result }, ...others].slice(0, MAX_EXAMS);
    await mkdir(path.dirname(this.#file), { recursive: true });
    const draft = `${this.#file}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify({ exams }), { mode: 0o600 });
      await rename(draft, this.#file);
    } finally {
      await rm(draft, { force: true });
    }
  }
}
