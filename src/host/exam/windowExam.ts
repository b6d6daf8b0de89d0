import path from 'node:path';
import * as vscode from 'vscode';
import { examineModel, type ExamOutcome, type ExamProgress } from '../../agent/exam/examineModel';
import { examSummaryOf } from '../../agent/exam/results/examReport';
import { ExamStore } from '../../agent/exam/results/examStore';
import { coreSeed } from '../../agent/exam/tasks/examTasks';
import type { ExamSummaries } from '../../agent/servers/access/examSummaries';
import { examLine } from '../../agent/view/server/examGrade';
import { signalOf } from '../cancellation';
import { notificationText } from '../notificationText';
import type { WindowModels } from '../openWindowModels';
import { offerResult, type ExamScreens } from './offerResult';

export interface WindowExamParts {
  readonly models: Pick<WindowModels, 'access' | 'settings' | 'server' | 'agents'>;
  readonly exams: ExamSummaries;
  /** The folder of the extension's files. */
  readonly storage: string;
  readonly screens: ExamScreens;
}

/** Examines models of the server in use: asks which, shows the progress, and offers the results. One exam at a time. */
export class WindowExam {
  readonly #parts: WindowExamParts;
  readonly #store: ExamStore;
  readonly #closing = new AbortController();
  #isRunning = false;

  constructor(parts: WindowExamParts) {
    this.#parts = parts;
    this.#store = new ExamStore(path.join(parts.storage, 'exams.json'));
  }

  async start(): Promise<void> {
    if (this.#isRunning) {
      void vscode.window.showInformationMessage(vscode.l10n.t('An exam is running. Its notification can cancel it.'));
      return;
    }
    this.#isRunning = true;
    try {
      await this.#start();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Stops a running exam. It goes on from there when it is started again. */
  dispose(): void {
    this.#closing.abort();
    this.#parts.screens.dispose();
  }

  async #start(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Models are examined in trusted workspaces only.'));
      return;
    }
    const { server } = this.#parts.models;
    await server.wake();
    const { baseUrl, state } = server;
    if (baseUrl === undefined || state.kind !== 'connected') {
      const message =
        state.kind === 'failed' ? state.message : vscode.l10n.t('There is no connection to a model server.');
      void vscode.window.showWarningMessage(notificationText(message));
      return;
    }
    const models = await this.#choose(baseUrl);
    if (models.length === 0) return;
    for (const [index, model] of models.entries()) {
      const outcome = await this.#examine(
        baseUrl,
        state.serverName,
        model,
        vscode.l10n.t('{0} of {1}', index + 1, models.length),
      );
      if (outcome.kind === 'stopped') return;
      await this.#show(baseUrl, outcome);
    }
  }

  /** Asks which models to examine, and whether it may begin. */
  async #choose(baseUrl: string): Promise<readonly string[]> {
    const { server } = this.#parts.models;
    const items = server.models.map(({ id, exam }) => ({
      label: id,
      ...(exam && { description: examLine(exam) }),
      picked: id === server.selectedModel,
    }));
    const chosen =
      items.length === 1
        ? items
        : await vscode.window.showQuickPick(items, {
            title: vscode.l10n.t('Examine Models'),
            placeHolder: vscode.l10n.t('Each model gets 28 small tasks, one after another'),
            canPickMany: true,
            matchOnDescription: true,
          });
    const models = (chosen ?? []).map(({ label }) => label);
    const [model] = models;
    if (model === undefined) return [];
    const begin = vscode.l10n.t('Examine');
    const answer = await vscode.window.showInformationMessage(
      notificationText(
        models.length === 1
          ? vscode.l10n.t('Examine {0}?', model)
          : vscode.l10n.t('Examine {0} models?', models.length),
      ),
      {
        modal: true,
        detail: vscode.l10n.t(
          '{0} gets 28 small tasks for each model, in throwaway folders. Your workspace is not used. Small programs that the model may have changed are run, confined to their folder. It takes minutes, and you can cancel it at any time.',
          baseUrl,
        ),
      },
      begin,
    );
    return answer === begin ? models : [];
  }

  async #examine(baseUrl: string, server: string, model: string, place: string): Promise<ExamOutcome> {
    const { models } = this.#parts;
    const seed = coreSeed;
    const earlier = await this.#store.find(baseUrl, { model, seed });
    const configuration = { ...models.settings(), baseUrl, model };
    // A model that the person stops during the exam stays stopped.
    const { ownServer: _ownServer, ...access } = models.access;
    return vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: notificationText(vscode.l10n.t('Examining {0} ({1})', model, place)),
        cancellable: true,
      },
      async (progress, token) => {
        const cancelling = signalOf(token);
        let shown = 0;
        const onProgress = async ({ doing, done, all, latest, result }: ExamProgress): Promise<void> => {
          const percent = (done / all) * 100;
          const { length: solved } = result.tasks.filter(({ verdict }) => verdict === 'solved');
          progress.report({
            message:
              doing === ''
                ? vscode.l10n.t('{0} of {1}, {2} solved', done, all, solved)
                : vscode.l10n.t('{0} of {1}, {2} solved: {3}', done, all, solved, doing),
            increment: percent - shown,
          });
          shown = percent;
          if (latest) await this.#store.save(baseUrl, result);
        };
        try {
          const outcome = await examineModel(
            { configuration, access, server, seed, earlier, now: () => new Date() },
            { signal: AbortSignal.any([cancelling.signal, this.#closing.signal]), onProgress },
          );
          await this.#store.save(baseUrl, outcome.result);
          return outcome;
        } finally {
          cancelling.dispose();
        }
      },
    );
  }

  async #show(baseUrl: string, outcome: Exclude<ExamOutcome, { kind: 'stopped' }>): Promise<void> {
    const { exams, models, screens } = this.#parts;
    if (outcome.kind === 'failed') {
      void vscode.window.showErrorMessage(
        notificationText(vscode.l10n.t('The exam ended early: {0}', outcome.message)),
      );
      return;
    }
    const { result } = outcome;
    const summary = examSummaryOf(result);
    if (summary) await exams.keep(baseUrl, result.model, summary);
    // The next model does not wait for what the person does with this result.
    void offerResult(result, { baseUrl, configuration: models.settings(), agents: models.agents, screens });
  }
}
