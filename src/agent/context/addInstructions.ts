import { branchOf } from '../../sdk/session/replay';
import type { SessionLog } from '../../sdk/session/sessionLog';
import type { Message } from '../../sdk/messages';
import { sectionsIn, withoutSections } from '../view/prompt/instructionSections';
import { touchedFiles } from './nestedRules';
import type { ProjectRules } from './projectRules';

interface InstructedPrompt {
  readonly contextLabels: readonly string[];
  readonly content: string;
}

/**
 * A prompt with the instructions that the conversation does not have yet: all at its start, later those that the person has
 * switched on again, and those of folders in which the agent has worked since. Also without those that are switched off,
 * which a prompt that is sent again may hold. `undefined`: it stays as it is.
 */
export async function addInstructions<Prompt extends InstructedPrompt>(
  prompt: Prompt,
  {
    log,
    projectRules,
    contextWindow: window,
  }: {
    readonly log: Pick<SessionLog, 'entries'>;
    readonly projectRules: ProjectRules;
    readonly contextWindow: number | undefined;
  },
): Promise<Prompt | undefined> {
  const whole = branchOf(log.entries);
  // Before it, the model gets nothing.
  const start = whole.findLastIndex((entry) => entry.type === 'epoch' && entry.omitsHistory === true);
  const branch = whole.slice(start + 1);
  const off = new Set(projectRules.leftOut());
  const left = sectionsIn(prompt.content).filter(({ id }) => off.has(id));
  const kept = withoutSections(prompt.content, off);
  const keptLabels = left.reduce((labels, { label }) => without(labels, label), prompt.contextLabels);
  const messages = branch.flatMap((entry) => (entry.type === 'user_message' ? [entry.content] : []));
  const known = new Set([...messages, kept].flatMap((content) => sectionsIn(content).map(({ id }) => id)));
  const isFirst = messages.length === 0;
  const wasOff = new Set(
    whole.flatMap((entry) =>
      entry.type === 'epoch' || entry.type === 'system_message' ? (entry.leavesOut ?? []) : [],
    ),
  );
  const root = isFirst || wasOff.size > 0 ? await projectRules.read(window) : [];
  const nested = isFirst ? [] : await projectRules.readNested(touchedFiles(branch), { window, known });
  const added = [...root.filter(({ id }) => isFirst || wasOff.has(id)), ...nested].filter(({ id }) => !known.has(id));
  if (added.length === 0 && left.length === 0) return undefined;
  return {
    ...prompt,
    contextLabels: [...added.map(({ label }) => label), ...keptLabels],
    content: [...added.map(({ content }) => content), kept].join('\n\n'),
  };
}

/** The history without the instructions from these places. */
export function leaveOut(messages: readonly Message[], places: readonly string[]): readonly Message[] {
  if (places.length === 0) return messages;
  const ids = new Set(places);
  return messages.map((message) => {
    if (message.role !== 'user') return message;
    const { content } = message;
    if (typeof content === 'string') return { ...message, content: withoutSections(content, ids) };
    return {
      ...message,
      content: content.map((part) =>
        part.type === 'text' ? { ...part, text: withoutSections(part.text, ids) } : part,
      ),
    };
  });
}

/** Without the first of these labels. */
function without(labels: readonly string[], label: string): readonly string[] {
  const at = labels.indexOf(label);
  return at < 0 ? labels : labels.toSpliced(at, 1);
}
