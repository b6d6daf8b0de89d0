import { withEdits, type ExamTask } from '../../../src/agent/exam/examTask';

/** What a good model does for a task, whatever the tools are called. */
export type SolutionStep =
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'write'; readonly path: string; readonly to: string }
  | { readonly kind: 'run' };

/** Reads each file that it edits, edits whole lines, and runs the check. */
export function solutionSteps(task: ExamTask): readonly SolutionStep[] {
  if (task.answer !== undefined) return [];
  const edited = task.solution.filter(({ from }) => from !== '').map(({ path }) => path);
  const read = new Set([...(task.reads === undefined ? [] : [task.reads]), ...edited]);
  if (read.size === 0) read.add(Object.keys(task.files)[0]!);
  return [
    ...[...read].map((path) => ({ kind: 'read', path }) as const),
    ...task.solution.map((edit, index): SolutionStep => {
      const { path, from, to } = edit;
      if (from === '') return { kind: 'write', path, to };
      return {
        kind: 'edit',
        path,
        ...wholeLines(withEdits(task.files, task.solution.slice(0, index))[path]!, from, to),
      };
    }),
    ...(task.judgedBy === 'check' ? [{ kind: 'run' } as const] : []),
  ];
}

/** A part of a line may be there twice. */
export function wholeLines(text: string, from: string, to: string): { readonly from: string; readonly to: string } {
  const start = text.lastIndexOf('\n', text.indexOf(from)) + 1;
  const end = text.indexOf('\n', text.indexOf(from) + from.length);
  const lines = text.slice(start, end === -1 ? undefined : end);
  return { from: lines, to: lines.replace(from, () => to) };
}
