import * as vscode from 'vscode';
import { fixTestRunPrompt, testRunContext, type TestRun } from '../../agent/prompts/testRun';
import { visibleText } from '../../util/text/visibleText';
import { newProblems } from '../../workspace/problems';
import type { Problem } from '../../workspace/ports';
import { cleanTerminalText } from '../../workspace/terminalLines';
import { isTrustedToFix } from '../commands/isTrustedToFix';
import { notificationText } from '../notificationText';
import type { PanelController } from '../panel/panelController';
import type { Panels } from '../panel/panels';
import { displayPathOf } from '../workspace/displayPathOf';
import { uriOf } from '../workspace/uris';
import { CommandTerminal } from './commandTerminal';
import { findTestRuns, type FindTestRunsParts, type TestRunChoice } from './findTestRuns';

export interface TestRunsParts extends FindTestRunsParts {
  readonly panels: Pick<Panels, 'current'>;
}

interface Ended {
  readonly exitCode: number | null;
  /** Absent: only the task's terminal has it. */
  readonly output?: string | undefined;
}

/** Other windows and folders have tasks of the same name; VS Code needs a type of task to run one. */
const TASK_TYPE = 'openAgent.tests';
const MAX_MINUTES = 30;

/** Runs tests that the person picks, in a terminal, and offers to fix those that fail. */
export class TestRuns {
  readonly #parts: TestRunsParts;

  constructor(parts: TestRunsParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    if (!(await isTrustedToFix(vscode.l10n.t('Explain Selection')))) return;
    const items = await findTestRuns(this.#parts);
    if (items.length === 0) {
      const message = vscode.l10n.t(
        'No tests are known here. Open a test file, or make a task of the group "test" (command "Tasks: Configure Task").',
      );
      void vscode.window.showInformationMessage(message);
      return;
    }
    const options = {
      title: vscode.l10n.t('Run Tests'),
      placeHolder: vscode.l10n.t('Runs in a terminal'),
      matchOnDetail: true,
    };
    const picked = await vscode.window.showQuickPick(items, options);
    if (picked) await this.#run(picked.choice, picked.label);
  }

  async #run(choice: TestRunChoice, label: string): Promise<void> {
    const before = this.#knownProblems();
    const ended = choice.kind === 'task' ? await runTask(choice.task) : await this.#runCommand(choice, label);
    const shown = notificationText(visibleText(label, 'path'));
    if (ended.exitCode === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('Tests passed: {0}.', shown));
    const message =
      ended.exitCode === null
        ? vscode.l10n.t('Tests failed: {0}, stopped before their end.', shown)
        : vscode.l10n.t('Tests failed: {0}, exit code {1}.', shown, ended.exitCode);
    const fix = vscode.l10n.t('Fix with Open Agent');
    // Not awaited: the notification stays until the person closes it.
    void vscode.window.showWarningMessage(message, fix).then(async (answer) => {
      if (answer === fix) await this.#fix(this.#parts.panels.current, choice, ended, before);
    });
  }

  async #fix(
    panel: PanelController,
    choice: TestRunChoice,
    { exitCode, output }: Ended,
    before: ReadonlyMap<string, readonly Problem[]>,
  ): Promise<void> {
    const isCommand = choice.kind === 'command';
    const run: TestRun = {
      name: isCommand ? choice.command : choice.task.name,
      isCommand,
      exitCode,
      output,
      // The reports of problem matchers have arrived by now.
      problems: [...this.#knownProblems()].flatMap(([path, problems]) => {
        const fresh = newProblems(before.get(path) ?? [], problems);
        return fresh.length === 0 ? [] : [{ displayPath: displayPathOf(uriOf(path)), problems: fresh }];
      }),
    };
    await panel.reveal();
    await panel.submit({ text: fixTestRunPrompt(run), context: [testRunContext(run)] });
  }

  async #runCommand({ command, folder }: TestRunChoice & { readonly kind: 'command' }, label: string): Promise<Ended> {
    const { commandRunner } = this.#parts.access.ports;
    const request = { command, cwd: folder.uri.fsPath, timeoutMs: MAX_MINUTES * 60_000 };
    const terminal = new CommandTerminal(command, (signal, onOutput) =>
      commandRunner.run(request, { signal, onOutput }),
    );
    const execution = new vscode.CustomExecution(() => Promise.resolve(terminal));
    const task = new vscode.Task({ type: TASK_TYPE, label }, folder, label, 'Open Agent', execution);
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Shared };
    await vscode.tasks.executeTask(task);
    const { ended, exitCode, output } = await terminal.ended;
    return { exitCode: ended === 'exited' ? exitCode : null, output: cleanTerminalText(output) };
  }

  #knownProblems(): ReadonlyMap<string, readonly Problem[]> {
    return this.#parts.access.ports.diagnostics?.known() ?? new Map();
  }
}

/** Resolves when the task has ended, by itself or because the person stopped it. */
async function runTask(task: vscode.Task): Promise<Ended> {
  // A quick task ends before its start is known here.
  const exitCodes = new Map<vscode.TaskExecution, number | undefined>();
  const ended = new Set<vscode.TaskExecution>();
  let lookAgain = (): void => {};
  const following = vscode.Disposable.from(
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => void exitCodes.set(execution, exitCode)),
    vscode.tasks.onDidEndTask(({ execution }) => {
      ended.add(execution);
      lookAgain();
    }),
  );
  try {
    const execution = await vscode.tasks.executeTask(task);
    await new Promise<void>((resolve) => {
      lookAgain = () => (ended.has(execution) ? resolve() : undefined);
      lookAgain();
    });
    return { exitCode: exitCodes.get(execution) ?? null };
  } finally {
    following.dispose();
  }
}
