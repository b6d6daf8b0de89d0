import * as z from 'zod';
import { Emitter } from '../../../util/emitter';
import type { ExamSummary } from '../../view/server/examGrade';
import type { QuirkStore } from '../learnedQuirks';
import { serverKey } from '../serverKey';

export interface ExamSummariesParts {
  readonly store: Pick<QuirkStore, 'get' | 'update'>;
  readonly onInternalError: (error: unknown) => void;
}

/** The results of exams for the menus of models, without the tasks. Small, because every window reads it. */
export class ExamSummaries {
  readonly #store: ExamSummariesParts['store'];
  readonly #changes: Emitter<void>;

  constructor({ store, onInternalError }: ExamSummariesParts) {
    this.#store = store;
    this.#changes = new Emitter(onInternalError);
  }

  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** `undefined`: the model was not examined on this server. */
  of(baseUrl: string, model: string): ExamSummary | undefined {
    return Kept.safeParse(this.#store.get(keyOf(baseUrl, model))).data;
  }

  async keep(baseUrl: string, model: string, summary: ExamSummary): Promise<void> {
    await this.#store.update(keyOf(baseUrl, model), summary);
    this.#changes.emit();
  }
}

const Kept = z.object({
  grade: z.enum(['does_the_work', 'small_edits', 'chat_only']),
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  solved: z.int().min(0),
  tasks: z.int().min(1),
  quantisation: z.string().max(40).optional(),
}) satisfies z.ZodType<ExamSummary>;

function keyOf(baseUrl: string, model: string): string {
  return `exam:${serverKey(baseUrl)}\n${model}`;
}
