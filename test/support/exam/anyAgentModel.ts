import { checkCommand, type ExamTask } from '../../../src/agent/exam/examTask';
import { isJsonObject, type JsonObject } from '../../../src/util/json';
import type { CompletionRequest, ModelServer, Turn } from '../servers/modelServer';
import { solutionSteps, type SolutionStep } from './solutionSteps';

/**
 * Lets a model server do the tasks for any agent: it looks at the tools that the agent offers, and calls those that read, edit, write and
 * run. `folder` is where the agent works now; empty: its paths are relative. A quality of `nothing` only says that it did the work.
 */
export function playForAnyAgent(
  server: ModelServer,
  quality: 'perfect' | 'nothing',
  tasks: readonly ExamTask[],
  folder: () => string,
): void {
  const answer = (request: CompletionRequest): Turn => {
    const { messages, tools = [] } = request.body;
    const task = tasks.find(({ prompt }) => JSON.stringify(messages).includes(JSON.stringify(prompt).slice(1, -1)));
    // Agents ask for titles and summaries without tools.
    if (!task || tools.length === 0) return { text: 'A task' };
    const done = messages.filter(({ role, tool_calls: calls }) => role === 'assistant' && calls?.length).length;
    const steps = quality === 'nothing' ? [] : solutionSteps(task);
    const step = steps[done];
    if (step)
      return {
        toolCalls: [
          callFor(
            step,
            tools.map(({ function: tool }) => tool),
            folder(),
          ),
        ],
      };
    const text = task.answer !== undefined && quality === 'perfect' ? `It is ${task.answer}.` : 'Done.';
    const end = tools.find(({ function: { name } }) => /^attempt_completion$|^submit/.test(name));
    return end ? { toolCalls: [{ name: end.function.name, arguments: { result: text } }] } : { text };
  };
  server.script(...Array.from({ length: 5_000 }, () => answer));
}

interface OfferedTool {
  readonly name: string;
  readonly parameters: unknown;
}

const wanted = {
  read: /^read|read_?file/i,
  edit: /edit|replace|patch/i,
  // Some agents have one tool that edits and creates.
  write: /write|create|edit/i,
  run: /bash|shell|command|terminal|exec/i,
} as const;

/** The call of the offered tool that does a step. Throws when none does: the agent cannot be played then. */
function callFor(step: SolutionStep, tools: readonly OfferedTool[], folder: string) {
  const matching = tools.filter(({ name }) => wanted[step.kind].test(name));
  for (const { name, parameters } of matching) {
    const fields = fill(step, parameters, folder);
    if (fields) return { name, arguments: fields };
  }
  throw new Error(`No tool can ${step.kind}: ${tools.map(({ name }) => name).join(', ')}`);
}

/** The arguments by the names and types of a schema. `undefined`: the tool wants something else. */
function fill(step: SolutionStep, schema: unknown, folder: string): JsonObject | undefined {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = isJsonObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const filled: Record<string, JsonObject[string]> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = valueFor(step, name, property, folder);
    if (value !== undefined) filled[name] = value;
    else if (required.includes(name)) return undefined;
  }
  return Object.keys(filled).length > 0 ? filled : undefined;
}

function valueFor(step: SolutionStep, name: string, property: unknown, folder: string): JsonObject[string] | undefined {
  const type = isJsonObject(property) ? property['type'] : undefined;
  const items = isJsonObject(property) ? property['items'] : undefined;
  if (type === 'array') {
    if (!/edit|replac|command|file|path/i.test(name)) return undefined;
    const isOfObjects = isJsonObject(items) && items['properties'] !== undefined;
    const inner = isOfObjects
      ? fill(step, items, folder)
      : valueFor(step, name.replace(/s$/, ''), { type: 'string' }, folder);
    return inner === undefined ? undefined : [inner];
  }
  if (/desc|reason|explanation|intent|purpose/i.test(name)) return `To ${step.kind}`;
  if (type === 'boolean') return /replace_?all|background|multiple/i.test(name) ? false : undefined;
  if (type !== undefined && type !== 'string') return undefined;
  if (step.kind !== 'run' && /path|file/i.test(name)) return folder === '' ? step.path : `${folder}/${step.path}`;
  switch (step.kind) {
    case 'edit':
      if (/old|search|from|find/i.test(name)) return step.from;
      return /new|replace|to/i.test(name) ? step.to : undefined;
    case 'write':
      return /content|text/i.test(name) && !/old|search|from|find/i.test(name) ? step.to : undefined;
    case 'run':
      return /command|script|cmd/i.test(name) ? checkCommand : undefined;
    case 'read':
      return undefined;
  }
}
