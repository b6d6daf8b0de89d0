import * as vscode from 'vscode';
import type { AgentConfiguration } from '../../agent/configuration/chooseAgent';
import { mannerWords } from '../../agent/exam/examManner';
import { examReport, examSummaryOf } from '../../agent/exam/results/examReport';
import type { ExamManner, ExamResult } from '../../agent/exam/results/examResult';
import { betterManner } from '../../agent/exam/tryOtherManners';
import { gradeWord } from '../../agent/view/server/examGrade';
import { messageOf } from '../../util/errors';
import { notificationText } from '../notificationText';
import type { AgentSelection } from '../settings/agentSelection';
import { writeToolCalls } from '../settings/modelOptionsSetting';
import type { ExamReports } from './examReports';

/** Shows reports, and takes errors of what the person chose. */
export interface ExamScreens {
  readonly reports: ExamReports;
  readonly onError: (error: unknown) => void;
  readonly dispose: () => void;
}

export interface OfferParts {
  readonly baseUrl: string;
  readonly configuration: AgentConfiguration;
  readonly agents: Pick<AgentSelection, 'chooseProfile'>;
  readonly screens: ExamScreens;
}

/** Tells the result of an exam, and offers the report, a file, and better settings where the exam found some. Never rejects. */
export async function offerResult(result: ExamResult, parts: OfferParts): Promise<void> {
  const summary = examSummaryOf(result);
  const better = betterManner(result);
  const show = vscode.l10n.t('Show Report');
  const use = vscode.l10n.t('Use Better Settings');
  const save = vscode.l10n.t('Export…');
  const word = summary
    ? vscode.l10n.t(
        '{0}: {1}, {2} of {3} tasks solved.',
        result.model,
        gradeWord(summary.grade),
        summary.solved,
        summary.tasks,
      )
    : vscode.l10n.t('{0}: too few tasks could be judged.', result.model);
  const hint = better ? ` ${vscode.l10n.t('It does better with {0}.', mannerWords(better.manner))}` : '';
  try {
    const answer = await vscode.window.showInformationMessage(
      notificationText(`${word}${hint}`),
      show,
      ...(better ? [use] : []),
      save,
    );
    if (answer === show)
      await parts.screens.reports.show(vscode.l10n.t('Exam of {0}', result.model), examReport(result));
    if (answer === save) await exportResult(result);
    if (answer === use && better) await adopt(better.manner, result, parts);
  } catch (error) {
    parts.screens.onError(error);
    void vscode.window.showErrorMessage(notificationText(messageOf(error)));
  }
}

async function exportResult(result: ExamResult): Promise<void> {
  const name = `exam-${result.model.replaceAll(/[^\w.-]+/g, '-').slice(-80)}.json`;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    filters: { JSON: ['json'] },
    title: vscode.l10n.t('Export the Result of the Exam'),
  });
  if (target)
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(`${JSON.stringify(result, null, 2)}\n`));
}

/** Writes the manner into the user's settings: tool calls for the model, sampling as a profile, which is then in use. */
async function adopt(manner: ExamManner, result: ExamResult, parts: OfferParts): Promise<void> {
  const { model } = result;
  const { toolCalls, temperature, thinking } = manner;
  if (toolCalls !== result.manner.toolCalls) await writeToolCalls(model, toolCalls);
  if (temperature === result.manner.temperature && thinking === result.manner.thinking) return;
  const { baseUrl, configuration, agents } = parts;
  const { topP, topK, maxTokens, reasoningEffort, extraBody } = configuration;
  const id = `${model} (examined)`;
  const settings = vscode.workspace.getConfiguration('openAgent');
  const written = settings.inspect<readonly unknown[]>('profiles')?.globalValue ?? [];
  if (!Array.isArray(written))
    throw new Error(vscode.l10n.t('openAgent.profiles in your settings is not a list. Correct it first.'));
  const others = written.filter((each: unknown) => (each as { readonly id?: unknown } | null)?.id !== id);
  const fields = { id, baseUrl, model, temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody };
  const profile = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
  await settings.update('profiles', [...others, profile], vscode.ConfigurationTarget.Global);
  await agents.chooseProfile(id);
}
