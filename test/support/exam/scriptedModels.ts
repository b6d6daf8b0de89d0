import { checkCommand, checkFile, withEdits, type ExamTask } from '../../../src/agent/exam/examTask';
import type { CompletionRequest, ModelServer, Turn } from '../servers/modelServer';
import { wholeLines } from './solutionSteps';

/** Models of known quality. Each answers a request for a task from the history in the request alone. */
export const scriptedModels = {
  /** Reads, edits as the solution says, runs the check and ends. */
  perfect: (task, step) => steps(task, editCalls(task), 'Done.')(step),
  /** Quotes with other white space and line numbers, as small models do. */
  sloppy: (task, step) => steps(task, editCalls(task, sloppily), 'Done.')(step),
  /** Does tasks about one small place, and invents its quotes in all others. */
  limited: (task, step) =>
    steps(
      task,
      editCalls(task, ['work', 'care'].includes(task.group) ? (text) => `${text} // as before` : undefined),
      'Done.',
    )(step),
  /** Writes its calls in words. */
  prose: (task) => ({
    text: `I will now use apply_edit with the following text:\n${task.solution[0]?.to ?? 'nothing'}\nDone!`,
  }),
  /** Does the work, and then reads files until it is stopped. */
  forgetful: (task, step) =>
    steps(task, editCalls(task), undefined)(step) ?? {
      toolCalls: [
        { name: 'read_file', arguments: { path: Object.keys(task.files)[step % Object.keys(task.files).length]! } },
      ],
    },
  /** Says that it has done everything. */
  lying: () => ({ text: 'I fixed everything, all tests pass, and ANSWER.txt is written. The result is certain.' }),
  /** Makes tests end early and weakens them instead of fixing the code. */
  cheating: (task, step) => {
    const code = task.solution.find(({ path }) => path.endsWith('.mjs'))?.path ?? 'src/none.mjs';
    const calls = [
      { name: 'write_file', arguments: { path: checkFile, content: "console.log('passed');\n" } },
      { name: 'write_file', arguments: { path: code, content: 'process.exit(0);\n' } },
    ];
    const call = calls[step];
    return call ? { toolCalls: [call] } : { text: 'All tests pass.' };
  },
} as const satisfies Record<string, ScriptedModel>;

type ScriptedModel = (task: ExamTask, step: number) => Turn;
export type ScriptedQuality = keyof typeof scriptedModels;

/** Lets a model server answer the given number of requests as a model of this quality. */
export function playModel(
  server: ModelServer,
  quality: ScriptedQuality,
  tasks: readonly ExamTask[],
  turns = 1_000,
): void {
  playTurns(server, scriptedModels[quality], tasks, turns);
}

/** Lets a model server answer as a model that decides by the task and the number of its responses so far. */
export function playTurns(server: ModelServer, turnOf: ScriptedModel, tasks: readonly ExamTask[], turns = 1_000): void {
  const answer = (request: CompletionRequest): Turn => {
    const texts = request.body.messages.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
    const task = tasks.find(({ prompt }) => texts.some((text) => text.includes(prompt)));
    if (!task) return { text: 'Hello.' };
    return turnOf(task, request.body.messages.filter(({ role }) => role === 'assistant').length);
  };
  server.script(...Array.from({ length: turns }, () => answer));
}

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One call in each response, then the answer. Without an answer: `undefined` after the calls. */
function steps(task: ExamTask, edits: readonly Call[], answer: string): (step: number) => Turn;
function steps(task: ExamTask, edits: readonly Call[], answer: undefined): (step: number) => Turn | undefined;
function steps(task: ExamTask, edits: readonly Call[], answer: string | undefined): (step: number) => Turn | undefined {
  if (task.answer !== undefined) return () => (answer === undefined ? undefined : { text: `It is ${task.answer}.` });
  const read = task.reads ?? task.solution.find(({ from }) => from !== '')?.path ?? Object.keys(task.files)[0]!;
  const calls: readonly Call[] = [
    { name: 'read_file', arguments: { path: read } },
    ...edits,
    ...(task.judgedBy === 'check' ? [{ name: 'run_terminal_command', arguments: { command: checkCommand } }] : []),
  ];
  return (step) => {
    const call = calls[step];
    return call ? { toolCalls: [call] } : answer === undefined ? undefined : { text: answer };
  };
}

function editCalls(task: ExamTask, quote: (text: string) => string = (text) => text): readonly Call[] {
  return task.solution.map(({ path, from, to }, index) => {
    if (from === '') return { name: 'write_file', arguments: { path, content: to } };
    const lines = wholeLines(withEdits(task.files, task.solution.slice(0, index))[path]!, from, to);
    return {
      name: 'apply_edit',
      arguments: { path, edits: [{ old_text: quote(lines.from), new_text: quote(lines.to) }] },
    };
  });
}

/** White space at the ends of lines, and a code fence around all. */
function sloppily(text: string): string {
  return `\`\`\`\n${text
    .split('\n')
    .map((line) => `${line}  `)
    .join('\n')}\n\`\`\``;
}
