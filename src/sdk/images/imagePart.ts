import type { ImageHeader, ImageMediaType } from '../../util/images/imageHeader';
import { readImageHeader } from '../../util/images/imageHeader';
import { AgentError } from '../errors';
import type { ImagePart, Message, TextPart, UserContent, UserPart } from '../messages';

/** An image part whose bytes are known to be an image. `image` is a data URL. */
export interface CheckedImage {
  readonly type: 'image';
  readonly image: string;
  readonly name?: string | undefined;
}

/** Base64 of the largest image and the start of its URL. */
const MAX_URL_LENGTH = 28_000_000;
const DATA_URL = /^data:(image\/[a-z0-9.+-]+);base64,/i;
const MAX_NAME_LENGTH = 200;

/**
 * Checks an image: a data URL or bytes, of a PNG, JPEG, WebP or GIF. The kind is that of the bytes, whatever is declared.
 * Equal bytes give an equal part. Throws `invalid_options` that says what is wrong. Nothing is fetched.
 */
export function checkImage(part: ImagePart): CheckedImage {
  if (isChecked(part)) return part;
  const { image, mediaType, name } = part;
  if (mediaType !== undefined && !isImageMediaType(mediaType)) throw refused(`${mediaType} is not sent to models`);
  const bytes = typeof image === 'string' ? bytesOfUrl(image) : image;
  if (!(bytes instanceof Uint8Array)) throw refused('it is neither a data URL nor bytes');
  const read = readImageHeader(bytes);
  if (!read.ok) throw refused(read.error);
  const shown = typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH).toWellFormed() : '';
  return remember({
    type: 'image',
    image: toDataUrl(bytes, read.header.mediaType),
    ...(shown !== '' && { name: shown }),
  });
}

/** A message with all of its images checked, those of a result too. Throws `invalid_options`. */
export function checkMessage(message: Message): Message {
  switch (message.role) {
    case 'user':
      return typeof message.content === 'string' ? message : { ...message, content: checkUserContent(message.content) };
    case 'assistant':
      return message;
    case 'tool': {
      const { images } = message.content;
      return images ? { ...message, content: { ...message.content, images: images.map(checkImage) } } : message;
    }
  }
}

/** Checks the content of a user message. A single text stays a text. Throws `invalid_options`. */
export function checkUserContent(content: unknown): UserContent {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new AgentError({ code: 'invalid_options', message: NO_CONTENT });
  const parts = content.map((part: unknown): TextPart | CheckedImage => {
    const { type, text, image } = (part ?? {}) as Record<string, unknown>;
    if (type === 'text' && typeof text === 'string') return { type, text };
    if (type !== 'image' || image === undefined) throw new AgentError({ code: 'invalid_options', message: NO_CONTENT });
    return checkImage(part as ImagePart);
  });
  return parts.some(({ type }) => type === 'image') ? parts : textOfContent(parts);
}

const NO_CONTENT =
  'The content of a user message is a text, or a list of parts: { type: "text", text } and { type: "image", image }.';

/** Parts that were checked. Checking the same bytes with every request would cost time. */
const checked = new WeakSet<object>();

function isChecked(part: ImagePart): part is CheckedImage {
  return checked.has(part);
}

function remember(part: CheckedImage): CheckedImage {
  Object.freeze(part);
  checked.add(part);
  return part;
}

/** The texts of a content, without its images. */
export function textOfContent(content: UserContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

export function imagesOfContent(content: UserContent): readonly ImagePart[] {
  if (typeof content === 'string') return [];
  return content.filter((part) => part.type === 'image');
}

/** The content with another text: in the place of the first text, or before the images. */
export function withText(content: UserContent, text: string): UserContent {
  if (typeof content === 'string') return text;
  const images: readonly UserPart[] = imagesOfContent(content);
  return images.length === 0 ? text : [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...images];
}

/** Two contents as one. Chat templates need alternating roles. */
export function joinContents(first: UserContent, second: UserContent): UserContent {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: UserContent): readonly UserPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Whether a content has neither an image nor a text that is more than space. */
export function isBlank(content: UserContent): boolean {
  return imagesOfContent(content).length === 0 && textOfContent(content).trim() === '';
}

/** The bytes of a checked image. */
export function imageBytes({ image }: ImagePart): Uint8Array {
  return typeof image === 'string' ? bytesOfUrl(image) : image;
}

/** The kind and size of an image. Only reads the start of a data URL; `undefined`: it is no image. */
export function imageHeaderOf(part: ImagePart): ImageHeader | undefined {
  const known = headers.get(part);
  if (known) return known;
  let read: ReturnType<typeof readImageHeader>;
  try {
    read = readImageHeader(imageBytes(part));
  } catch {
    // A text that is no data URL of an image.
    return undefined;
  }
  if (!read.ok) return undefined;
  headers.set(part, read.header);
  return read.header;
}

const headers = new WeakMap<ImagePart, ImageHeader>();

export function toDataUrl(bytes: Uint8Array, mediaType: ImageMediaType): string {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return `data:${mediaType};base64,${base64}`;
}

function bytesOfUrl(url: string): Uint8Array {
  if (/^\s*(?:https?|ftp|file|blob):/i.test(url)) {
    throw refused('images are never fetched from an address. Give the image itself, as a data URL or as bytes');
  }
  if (url.length > MAX_URL_LENGTH) throw refused('it is too large');
  const [start, mediaType] = DATA_URL.exec(url) ?? [];
  if (start === undefined || mediaType === undefined) {
    throw refused('it is no data URL such as "data:image/png;base64,…"');
  }
  if (!isImageMediaType(mediaType.toLowerCase())) throw refused(`${mediaType} is not sent to models`);
  const base64 = url.slice(start.length);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw refused('its base64 has other characters');
  return Buffer.from(base64, 'base64');
}

function isImageMediaType(mediaType: string): boolean {
  return ['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/gif'].includes(mediaType);
}

function refused(problem: string): AgentError {
  const message = `The image cannot be used: ${problem}. PNG, JPEG, WebP and GIF can be sent.`;
  return new AgentError({ code: 'invalid_options', message });
}
