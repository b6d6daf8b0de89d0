import { AgentError } from '../../sdk/errors';
import { checkUserContent, imagesOfContent } from '../../sdk/images/imagePart';
import type { UserContent, UserPart } from '../../sdk/messages';
import { isJsonObject } from '../../util/json';

/** The most images of one message. */
const MAX_IMAGES = 20;

type ReadContent =
  { readonly ok: true; readonly content: UserContent } | { readonly ok: false; readonly problem: string };

/**
 * Reads the content of a user message: a text, or parts of text and images. Images are data URLs. Nothing is fetched, because
 * a caller could have the agent's machine ask any address.
 */
export function readUserContent(content: string | readonly unknown[]): ReadContent {
  if (typeof content === 'string') return { ok: true, content };
  const parts: UserPart[] = [];
  for (const part of content) {
    const read = readPart(part);
    if (!read) return { ok: false, problem: 'only text and images are supported.' };
    parts.push(read);
  }
  const images = imagesOfContent(parts).length;
  if (images > MAX_IMAGES) return { ok: false, problem: `it has ${images} images, and ${MAX_IMAGES} are the most.` };
  if (images === 0)
    return { ok: true, content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') };
  try {
    return { ok: true, content: checkUserContent(parts) };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { ok: false, problem: error.message };
  }
}

function readPart(part: unknown): UserPart | undefined {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isJsonObject(part)) return undefined;
  const { type = 'text', text, image_url: given } = part;
  if (type === 'text' && typeof text === 'string') return { type, text };
  const url = isJsonObject(given) ? given['url'] : given;
  return type === 'image_url' && typeof url === 'string' ? { type: 'image', image: url } : undefined;
}
