import { textOfContent } from '../../sdk/images/imagePart';
import { estimateTokens, imageTokensOf } from '../../sdk/context/tokenCount';
import type { PromptSections } from '../../sdk/context/promptSections';
import type { Message } from '../../sdk/messages';
import type { SessionEntry } from '../../sdk/session/entries';
import type { ContextSections } from '../view/sessionView';
import { sectionsIn } from '../view/prompt/instructionSections';

/**
 * The sections of a request with the project's instructions and the attached files apart from the conversation. `entries`
 * tell which text of a message the person wrote. The sum stays the same.
 */
export function contextSections(
  { system, tools, conversation, results }: PromptSections,
  messages: readonly Message[],
  entries: readonly SessionEntry[],
): ContextSections {
  const prompts = new Map<string, { readonly text: string; readonly contextLabels: readonly string[] }>();
  for (const entry of entries) if (entry.type === 'user_message') prompts.set(entry.content, entry);
  let written = 0;
  let instructions = 0;
  let files = 0;
  for (const message of messages) {
    if (message.role === 'tool') continue;
    const content = message.role === 'user' ? textOfContent(message.content) : JSON.stringify(message.content);
    files += imageTokensOf([message]);
    const sections = sectionsIn(content);
    const rules = sections.at(-1)?.end ?? 0;
    const prompt = prompts.get(content);
    // The labels of the rules are the first. Without files, a note about the mode may stand before the text.
    const hasFiles = prompt !== undefined && prompt.contextLabels.length > sections.length;
    const own = hasFiles ? prompt.text.length : content.length - rules;
    instructions += estimateTokens(content.slice(0, rules));
    files += estimateTokens(content.slice(rules, Math.max(rules, content.length - own)));
    written += estimateTokens(content.slice(Math.max(rules, content.length - own)));
  }
  const factor = conversation / Math.max(1, written + instructions + files);
  const [rulesShare, fileShare] = [Math.floor(instructions * factor), Math.floor(files * factor)];
  return {
    system,
    tools,
    instructions: rulesShare,
    files: fileShare,
    conversation: conversation - rulesShare - fileShare,
    results,
  };
}
