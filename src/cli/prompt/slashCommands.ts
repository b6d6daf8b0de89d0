import { expandCommand, type InputQuestion } from '../../agent/customization/expandCommand';
import type { CustomFileParts } from '../../agent/customization/customFiles';
import { listPromptFiles } from '../../agent/customization/promptFiles';
import type { PromptContext } from '../../agent/prompts/promptContext';
import { slashCommands, type Task } from '../../agent/prompts/slashCommands';
import { visibleText } from '../../util/text/visibleText';
import type { Terminal } from '../terminal/terminal';
import type { PreparePrompt } from './mcpPrompts';

export interface SlashCommandParts {
  readonly files: CustomFileParts;
  /** Absent: nobody can be asked. */
  readonly terminal: Terminal | undefined;
  readonly signal: AbortSignal;
}

/** A command that becomes a prompt: a task, or a prompt file. */
export interface PromptCommand {
  /** Without the slash. */
  readonly name: string;
  readonly argument: string;
  /** From the file, if it is one. */
  readonly about: string;
}

const isTask = (name: string): boolean => name !== 'commit' && name !== 'compact';

/** The commands that become prompts, for `/help`. Never rejects. */
export async function listPromptCommands(files: CustomFileParts): Promise<readonly PromptCommand[]> {
  const tasks = slashCommands.filter(({ name }) => isTask(name));
  const found = (await listPromptFiles(files)).filter(({ name }) =>
    slashCommands.every((known) => known.name !== name),
  );
  return [
    ...tasks.map(({ name }) => ({ name, argument: '[@FILE]', about: ABOUT[name as Task] })),
    ...found.map(({ name, description, displayPath, inputs }) => ({
      name,
      argument: inputs.map((input) => `${input.name}=…`).join(' '),
      about: visibleText(description === '' ? displayPath : description, 'path'),
    })),
  ];
}

const ABOUT: Readonly<Record<Task, string>> = {
  explain: 'explain what you name',
  fix: 'find and fix what is wrong in it',
  tests: 'write tests for it',
  review: 'review it, or the uncommitted changes',
};

/** Adds the meaning of the command or prompt file that a text calls to the prompt that `prepare` returns. */
export function withSlashCommands(
  prepare: PreparePrompt,
  { files, terminal, signal }: SlashCommandParts,
): PreparePrompt {
  const askInput = async ({ prompt, name, hint }: InputQuestion): Promise<string | undefined> => {
    if (!terminal) throw new Error(`/${prompt} asks for ${name}: write ${name}=… after it.`);
    const said = hint === '' ? '' : ` (${visibleText(hint, 'path')})`;
    return (await terminal.ask(`${name}${said}: `, { signal }))?.trim();
  };
  return async (text) => {
    const promptFiles = () => listPromptFiles(files);
    const expanded = await expandCommand(text, {
      promptFiles,
      subjectOf,
      editorValues: () => Promise.resolve({}),
      askInput,
    });
    switch (expanded.kind) {
      case 'none':
        return prepare(text);
      case 'given_up':
        return undefined;
      case 'do':
        throw new Error(`/${expanded.command} is no prompt here.`);
      case 'send': {
        const prepared = await prepare(text);
        return prepared && { ...prepared, context: [...(prepared.context ?? []), ...expanded.context] };
      }
      default:
        return expanded satisfies never;
    }
  };
}

/** There is no editor, so words name what a command is about. */
async function subjectOf(task: Task, words: string): Promise<PromptContext | undefined> {
  if (words !== '') return undefined;
  if (task !== 'review') throw new Error(`Name a file with @ after /${task}.`);
  return { label: 'the uncommitted changes', content: 'git status and git diff show the uncommitted changes.' };
}
