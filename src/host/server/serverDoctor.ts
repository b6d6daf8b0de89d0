import type { AgentConfiguration } from '../../agent/configuration/chooseAgent';
import { runDoctor, startReport } from '../../agent/servers/doctor/doctor';
import type { KeyStore } from '../../agent/servers/keys';
import type { LearnedQuirks } from '../../agent/servers/learnedQuirks';
import { modelOptionsFor } from '../../agent/servers/model/modelOptions';
import type { SlotQueue } from '../../agent/servers/model/slotQueue';
import type { DoctorReport } from '../../agent/view/doctorReport';
import type { ModelLogger } from '../../sdk/model/modelLogger';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { ServerConnection } from './serverConnection';

export interface ServerDoctorParts {
  readonly server: ServerConnection;
  /** What counts now: settings, profile, agent. */
  readonly settings: () => Pick<AgentConfiguration, 'contextWindow' | 'maxTokens' | 'modelOptions'>;
  readonly keys: KeyStore;
  readonly slots: SlotQueue;
  readonly quirks: LearnedQuirks;
  readonly fetch: typeof fetch;
  readonly logger?: ModelLogger | undefined;
  /** Called when requests are to be written in another way from now on. */
  readonly onLearned: () => void;
  readonly onInternalError: (error: unknown) => void;
}

/** The check of the server and model in use: one at a time, with its report until it is closed. */
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

  /** `undefined`: nothing has been asked for, or it was closed. */
  get report(): DoctorReport | undefined {
    return this.#report;
  }

  /** Starts a check; one that is running goes on. Resolves when it has ended. Never rejects. */
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

  /** Ends what is running; its findings stay. */
  stop(): void {
    this.#run?.abort();
  }

  /** Ends what is running and forgets the report. */
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
    const { server, settings, keys, slots, quirks, fetch, logger, onLearned } = this.#parts;
    const show = (report: DoctorReport): void => {
      // What was closed says nothing more.
      if (this.#run === run) this.#show(report);
    };
    show(startReport(server.target));
    await server.ensure();
    const { baseUrl, model } = server.target;
    const { contextWindow, maxTokens = null, modelOptions } = settings();
    const ofModel = modelOptionsFor(modelOptions, model);
    const { hasLearned } = await runDoctor(
      {
        baseUrl,
        model,
        apiKey: await keys.get(baseUrl),
        fetch,
        slots,
        quirks: quirks.memoryFor(baseUrl),
        settings: { contextWindow: ofModel.contextWindow ?? contextWindow, maxTokens },
        logger,
        now: () => performance.now(),
      },
      { signal: run.signal, onProgress: show },
    );
    if (hasLearned) onLearned();
    // What the panel shows of the server may have changed: a model that was loaded, a key that is taken.
    if (!run.signal.aborted) void server.refresh({ quiet: true });
  }

  #show(report: DoctorReport | undefined): void {
    this.#report = report;
    this.#changes.emit();
  }
}
