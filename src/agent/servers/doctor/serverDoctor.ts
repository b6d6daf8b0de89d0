import type { ModelLogger } from '../../../sdk/model/modelLogger';
import type { Disposable } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import type { DoctorReport } from '../../view/server/doctorReport';
import type { ModelAccess } from '../access/modelAccess';
import type { ContextWindowSettings } from '../access/modelSummaries';
import type { ServerConnection } from '../access/serverConnection';
import { modelOptionsFor } from '../model/modelOptions';
import { doctorAccess, runDoctor, startReport } from './doctor';

export interface ServerDoctorParts {
  readonly server: ServerConnection;
  /** The settings, with those of the profile and agent in use. */
  readonly settings: () => ContextWindowSettings & { readonly maxTokens?: number | null | undefined };
  readonly access: Pick<ModelAccess, 'keys' | 'slots' | 'quirks' | 'fetch'>;
  readonly logger?: ModelLogger | undefined;
  /** Called when the check has changed how requests are written. */
  readonly onLearned: () => void;
  readonly onInternalError: (error: unknown) => void;
}

/** Checks the server and model in use, one check at a time. Keeps the report until it is closed. */
export class ServerDoctor implements Disposable {
  readonly #parts: ServerDoctorParts;
  readonly #changes: Emitter<void>;
  #report: DoctorReport | undefined;
  #run: AbortController | undefined;

  constructor(parts: ServerDoctorParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** `undefined`: no check was started, or its report was closed. */
  get report(): DoctorReport | undefined {
    return this.#report;
  }

  /** Starts a check, unless one is running. Resolves when the check has ended. Never rejects. */
  async start(): Promise<void> {
    if (this.#run) return;
    const run = new AbortController();
    this.#run = run;
    try {
      await this.#examine(run);
    } catch (error) {
      this.#parts.onInternalError(error);
      if (this.#report && this.#run === run) this.#show({ ...this.#report, state: 'stopped' });
    } finally {
      if (this.#run === run) this.#run = undefined;
    }
  }

  /** Stops the check. Its findings stay. */
  stop(): void {
    this.#run?.abort();
  }

  /** Stops the check and discards the report. */
  close(): void {
    this.stop();
    this.#run = undefined;
    if (this.#report) this.#show(undefined);
  }

  dispose(): void {
    this.stop();
    this.#run = undefined;
    this.#changes.dispose();
  }

  async #examine(run: AbortController): Promise<void> {
    const { server, settings, access, logger, onLearned } = this.#parts;
    const show = (report: DoctorReport): void => {
      // A closed report gets no more findings.
      if (this.#run === run) this.#show(report);
    };
    show(startReport(server.target));
    await server.wake({ signal: run.signal });
    const { baseUrl, model } = server.target;
    const { contextWindow, maxTokens = null, modelOptions } = settings();
    const ofModel = modelOptionsFor(modelOptions, model);
    const { hasLearned } = await runDoctor(
      {
        ...(await doctorAccess(access, baseUrl)),
        model,
        settings: { contextWindow: ofModel.contextWindow ?? contextWindow, maxTokens },
        logger,
      },
      { signal: run.signal, onProgress: show },
    );
    if (hasLearned) onLearned();
    // The check may have loaded a model, or shown that a key is accepted: the panel shows both.
    if (!run.signal.aborted) void server.refresh({ quiet: true });
  }

  #show(report: DoctorReport | undefined): void {
    this.#report = report;
    this.#changes.emit();
  }
}
