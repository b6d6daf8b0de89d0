import { contextWindowOf } from '../model/contextWindow';
import type { LearnedQuirks } from '../learnedQuirks';
import { modelOptionsFor, type ModelOptionsTable } from '../model/modelOptions';
import type { FoundServer } from '../probe/serverProbe';
import type { ModelSummary } from '../../view/server/connectionState';
import type { ExamSummary } from '../../view/server/examGrade';

/** The settings that decide how much a model can hold. */
export interface ContextWindowSettings {
  /** In tokens; `null`: as the server says. */
  readonly contextWindow: number | null;
  readonly modelOptions: ModelOptionsTable;
}

/** The models of a server for the panel: its own statements, the person's settings, the learned quirks and exams. */
export function summarizeModels(
  server: FoundServer,
  settings: ContextWindowSettings,
  quirks: Pick<LearnedQuirks, 'describe' | 'rejectsImages'>,
  examOf: (model: string) => ExamSummary | undefined = () => undefined,
): readonly ModelSummary[] {
  return server.models.map(({ id, isLoaded, hasVision, hasTools }): ModelSummary => {
    const options = modelOptionsFor(settings.modelOptions, id);
    const window = contextWindowOf(id, { setting: options.contextWindow ?? settings.contextWindow, server });
    const learned = quirks.describe(server.baseUrl, id);
    const exam = examOf(id);
    const { toolCalls = 'auto' } = options;
    const takesImages = options.images ?? (quirks.rejectsImages(server.baseUrl, id) ? false : hasVision);
    return {
      id,
      ...(window && { contextWindow: window.tokens, windowSource: window.source }),
      ...(isLoaded !== undefined && { isLoaded }),
      ...(takesImages !== undefined && { hasVision: takesImages }),
      ...(hasTools !== undefined && { hasTools }),
      ...(toolCalls !== 'auto' && { toolCalls }),
      ...(learned.length > 0 && { learned }),
      ...(exam && { exam }),
    };
  });
}
