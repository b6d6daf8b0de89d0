import type { ImagePart } from '../../sdk/messages';
import type { PromptContext } from '../prompts/promptContext';

/** A person's prompt: the text and the context that goes with it. */
export interface Prompt {
  readonly text: string;
  readonly context?: readonly PromptContext[] | undefined;
  readonly images?: readonly ImagePart[] | undefined;
}

/** The message for the model. The question comes last: small models answer what they read last. */
export function promptContent({ text, context = [] }: Omit<Prompt, 'images'>): string {
  return [...context.map(({ content }) => content), text].filter((part) => part.trim() !== '').join('\n\n');
}

interface SentPrompt {
  readonly text: string;
  readonly contextLabels: readonly string[];
  /** The message that the model got. It ends with the text. */
  readonly content: string;
}

/** A sent prompt with another text. Keeps its context and adds the new one. */
export function editedPrompt(sent: SentPrompt, { text, context = [] }: Omit<Prompt, 'images'>): SentPrompt {
  const hasKept = sent.content.endsWith(sent.text);
  const kept = hasKept ? sent.content.slice(0, sent.content.length - sent.text.length) : '';
  const keptLabels = hasKept ? sent.contextLabels : [];
  const added = context.filter(({ label }) => !keptLabels.includes(label));
  const contextLabels = [...keptLabels, ...added.map(({ label }) => label)];
  return { text, contextLabels, content: `${kept}${promptContent({ text, context: added })}` };
}

const MAX_TITLE_LENGTH = 60;

/** A session's title from its first prompt: the first line with text, cut between words if possible. */
export function titleOf(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const title = line.trim().replace(/\s+/g, ' ');
  if (title.length <= MAX_TITLE_LENGTH) return title;
  const cut = title.slice(0, MAX_TITLE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > MAX_TITLE_LENGTH / 2 ? cut.slice(0, lastSpace) : cut}…`;
}
