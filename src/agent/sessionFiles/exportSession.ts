import type { SessionEntry } from '../../sdk/session/entries';
import { entryLine } from '../../sdk/session/parseEntry';
import { visibleText } from '../../util/visibleText';
import { viewFromEntries } from '../view/viewFromEntries';
import type { ToolItem, ViewItem } from '../view/sessionView';

/** All entries of a session as in its file, one JSON object a line. `importSession` reads them. */
export function exportAsJsonLines(entries: readonly SessionEntry[]): string {
  return entries.map((entry) => `${entryLine(entry)}\n`).join('');
}

/** The conversation as Markdown for people: prompts, answers and tool results. */
export function exportAsMarkdown(entries: readonly SessionEntry[]): string {
  const view = viewFromEntries('', entries);
  const sections = view.items.map(sectionOf).filter((section) => section !== undefined);
  return `${[`# ${oneLine(view.title)}`, ...sections].join('\n\n')}\n`;
}

function sectionOf(item: ViewItem): string | undefined {
  switch (item.kind) {
    case 'prompt': {
      const attached = item.contextLabels.map((label) => `*Attached: ${inlineCode(label)}*`);
      return ['## You', ...attached, item.text].join('\n\n');
    }
    case 'text':
      return `## Agent\n\n${item.text}${item.cut ? '\n\n*The answer stopped here.*' : ''}`;
    case 'tool':
      return toolSection(item);
    case 'thinking':
    case 'notice':
      return undefined;
  }
}

function toolSection({ toolName, state, input, result, denialReason }: ToolItem): string {
  const parts = [`### Tool ${inlineCode(toolName)}: ${state.replaceAll('_', ' ')}`];
  if (input) parts.push(fenced(JSON.stringify(input, null, 2), 'json'));
  if (denialReason !== undefined) parts.push(`*Denied: ${oneLine(denialReason)}*`);
  if (result !== undefined && result !== '') parts.push(fenced(result));
  return parts.join('\n\n');
}

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  let fence = '```';
  for (const [ticks] of text.matchAll(/`+/g)) if (ticks.length >= fence.length) fence = `${ticks}\``;
  return `${fence}${language}\n${text}\n${fence}`;
}

function inlineCode(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' ').trim(), 'code');
}
