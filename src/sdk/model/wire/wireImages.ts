import { toDataUrl, imageHeaderOf } from '../../images/imagePart';
import type { ImagePart, UserContent } from '../../messages';
import type { ServerQuirks } from './serverQuirks';
import type { WireContent, WireMessage, WirePart } from './wireTypes';

const NOT_TAKEN = '[An image was here. It is not sent, because the server takes no images for this model.]';
const LOOKED_AT = 'I look at the images.';
const IMAGES_OF_RESULTS = 'The images of the results above:';

/** The wire form of a content whose texts `safe` has defused. */
export function wireContent(content: UserContent, safe: (text: string) => string): WireContent {
  if (typeof content === 'string') return safe(content);
  return content.map((part): WirePart => (part.type === 'text' ? textPart(safe(part.text)) : imagePart(part)));
}

/** The wire form of a result: a text, followed by its images. */
export function resultContent(text: string, images: readonly ImagePart[] = []): WireContent {
  return images.length === 0 ? text : [...(text === '' ? [] : [textPart(text)]), ...images.map(imagePart)];
}

function textPart(text: string): WirePart {
  return { type: 'text', text };
}

function imagePart(part: ImagePart): WirePart {
  const { image } = part;
  if (typeof image === 'string') return { type: 'image_url', image_url: { url: image } };
  const header = imageHeaderOf(part);
  return header
    ? { type: 'image_url', image_url: { url: toDataUrl(image, header.mediaType) } }
    : textPart('[An image was here. It cannot be read.]');
}

/** The texts of a content. */
export function wireText(content: WireContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** A content with a text before it. */
export function afterText(text: string, content: WireContent): WireContent {
  return typeof content === 'string' ? `${text}\n\n${content}` : [textPart(text), ...content];
}

export function wireImagesOf(content: WireContent): readonly WirePart[] {
  return typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image_url');
}

/** Writes the images of a history as the server takes them. It only grows at its end, as the messages do. */
export function withImageLaws(
  wire: readonly WireMessage[],
  { images, resultImages }: Pick<ServerQuirks, 'images' | 'resultImages'>,
): readonly WireMessage[] {
  if (!wire.some(hasImages)) return wire;
  if (!images) return wire.map(withoutImages);
  return resultImages === 'result' ? wire : withImagesAfterResults(wire);
}

function hasImages(message: WireMessage): boolean {
  return message.role !== 'assistant' && wireImagesOf(message.content).length > 0;
}

/** Each image is replaced by a note. */
export function withoutImages(message: WireMessage): WireMessage {
  if (message.role !== 'user' && message.role !== 'tool') return message;
  const { content } = message;
  if (typeof content === 'string') return message;
  const texts = content.map((part) => (part.type === 'text' ? part.text : NOT_TAKEN));
  return { ...message, content: texts.join('\n\n') };
}

/** The images of results come in a user message after all results of a step. */
function withImagesAfterResults(wire: readonly WireMessage[]): readonly WireMessage[] {
  const result: WireMessage[] = [];
  let held: readonly WirePart[] = [];
  for (const [index, message] of wire.entries()) {
    if (message.role !== 'tool') {
      result.push(message);
      continue;
    }
    held = [...held, ...wireImagesOf(message.content)];
    result.push({ ...message, content: wireText(message.content) || IMAGES_BELOW });
    if (held.length === 0 || wire[index + 1]?.role === 'tool') continue;
    // Templates need alternating roles.
    result.push({ role: 'assistant', content: LOOKED_AT });
    result.push({ role: 'user', content: [...held, textPart(IMAGES_OF_RESULTS)] });
    held = [];
    if (wire[index + 1]?.role === 'user') result.push({ role: 'assistant', content: SEEN });
  }
  return result;
}

const IMAGES_BELOW = '(The image follows.)';
const SEEN = '(No answer was given.)';
