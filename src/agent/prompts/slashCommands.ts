import * as l10n from '../../util/l10n';
import type { PromptContext } from './promptContext';

/** The commands of a prompt. `commit` and `compact` do something; the others say what to do with the words after them. */
export const slashCommands = [
  { name: 'explain', about: () => l10n.t('Explain the selected code, the open file or what you name') },
  { name: 'fix', about: () => l10n.t('Find and fix what is wrong in it') },
  { name: 'tests', about: () => l10n.t('Write tests for it') },
  { name: 'review', about: () => l10n.t('Review the selected code, or the uncommitted changes') },
  { name: 'commit', about: () => l10n.t('Write a commit message for the changes') },
  {
    name: 'compact',
    about: () => l10n.t('Have the model summarise the older messages. Words after it say what to keep'),
  },
] as const;

export type SlashCommandName = (typeof slashCommands)[number]['name'];

/** A command whose meaning goes to the model. */
export type Task = Exclude<SlashCommandName, 'commit' | 'compact'>;

const MEANINGS: Readonly<Record<Task, (about: string) => string>> = {
  explain: (about) => `explain ${about}: what it does, how, and anything in it that could surprise. Change nothing.`,
  fix: (about) =>
    `find and fix what is wrong in ${about}. Say first what the mistake is. If nothing is wrong, say so and change nothing.`,
  tests: (about) =>
    `write tests for ${about}. First look how the tests of this project are written and where they are, and do the same. Then run the new tests.`,
  review: (about) =>
    `review ${about}. Name mistakes, security problems and missing tests, the worst first, each on a line of its own that begins with its place, such as src/file.ts:12. Leave style alone. If all is well, say so in one sentence. Change nothing.`,
};

/** What a command means, with its subject. Without a subject the person's words name it. */
export function taskContext(task: Task, subject: PromptContext | undefined): PromptContext {
  const meaning = `/${task} means: ${MEANINGS[task](subject?.label ?? 'what the person names')}`;
  return subject
    ? { label: subject.label, content: `${subject.content}\n\n${meaning}` }
    : { label: `/${task}`, content: meaning };
}
