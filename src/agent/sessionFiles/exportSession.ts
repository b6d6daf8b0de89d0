import type { ImagePart } from '../../sdk/messages';
import { ENTRY_VERSION, type SessionEntry } from '../../sdk/session/entries';
import { entryLine } from '../../sdk/session/parseEntry';
import { visibleText } from '../../util/text/visibleText';
import { viewFromEntries } from '../view/fold/viewFromEntries';
import type { ToolItem, ViewItem } from '../view/sessionView';

/** All entries of a session as in its file, one JSON object a line, then its images. `importSession` reads them. */
export function exportAsJsonLines(entries: readonly SessionEntry[], images: readonly ImagePart[] = []): string {
  const lines = [...entries.map(entryLine), ...images.map((image, index) => imageLine(image, entries, index))];
  return lines.map((line) => `${line}\n`).join('');
}

/** An image, as a line that readers of other versions skip. */
function imageLine({ image }: ImagePart, entries: readonly SessionEntry[], index: number): string {
  const seq = (entries.at(-1)?.seq ?? 0) + 1 + index;
  const { id: parentId = null } = entries.at(-1) ?? {};
  return JSON.stringify({ v: ENTRY_VERSION, id: `image-${seq}`, parentId, seq, ts: 0, type: EXPORTED_IMAGE, image });
}

/** The type of the lines that hold the images of an exported session. */
export const EXPORTED_IMAGE = 'image_file';

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
      const images = (item.images ?? []).map(({ name, width, height }) => {
        const called = name === undefined ? '' : `: ${inlineCode(name)}`;
        return `*Image${called} (${width} × ${height})*`;
      });
      return ['## You', ...attached, ...images, item.text].join('\n\n');
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
