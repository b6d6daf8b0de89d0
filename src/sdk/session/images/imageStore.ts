import { newSha256 } from '../../../util/sha256';
import { checkImage, imageBytes, imageHeaderOf } from '../../images/imagePart';
import type { ImagePart, TextPart, UserContent, UserPart } from '../../messages';
import type { EntryOf, SessionEntry } from '../entries';
import type { StoredImage } from './storedImage';

/** The bytes of the images of sessions, by their hash. */
export interface ImageStore {
  /** Keeps an image in memory at once, and where it lasts. Rejects when it could not be kept where it lasts. */
  save(image: ImagePart): Promise<StoredImage>;
  /** Reads images into memory, for `get`. Never rejects: images that cannot be read are missing. */
  load(images: readonly StoredImage[]): Promise<void>;
  /** An image that was saved or loaded, always with the same bytes. */
  get(image: StoredImage): ImagePart | undefined;
}

/** Where an `ImageStore` keeps images for longer than itself. */
export interface ImageFiles {
  /** Writes a whole file or nothing. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  /** `undefined`: there is no such file, or it cannot be trusted. */
  read(hash: string): Promise<Uint8Array | undefined>;
}

/** Makes a store. Without files its images last as long as the store. */
export function createImageStore(files?: ImageFiles): ImageStore {
  const known = new Map<string, ImagePart>();
  return {
    async save(image) {
      const checked = checkImage(image);
      const stored = describeImage(checked);
      if (!known.has(stored.hash)) known.set(stored.hash, { ...checked, name: undefined });
      await files?.write(stored.hash, imageBytes(checked));
      return stored;
    },
    async load(images) {
      for (const { hash } of images) {
        if (known.has(hash)) continue;
        const image = await readImage(hash, files);
        if (image) known.set(hash, image);
      }
    },
    get({ hash, name }) {
      const image = known.get(hash);
      return image && { type: 'image', image: image.image, ...(name !== undefined && { name }) };
    },
  };
}

async function readImage(hash: string, files: ImageFiles | undefined): Promise<ImagePart | undefined> {
  try {
    const bytes = await files?.read(hash);
    if (!bytes || hashOf(bytes) !== hash) return undefined;
    return checkImage({ type: 'image', image: bytes });
  } catch {
    // The file is missing, unreadable or no image. The history says so in its place.
    return undefined;
  }
}

/** How a session's file names an image that was checked. */
export function describeImage(image: ImagePart): StoredImage {
  const header = imageHeaderOf(image);
  if (!header) throw new Error('The image was not checked.');
  const bytes = imageBytes(image);
  const { name } = image;
  return { hash: hashOf(bytes), ...header, size: bytes.length, ...(name !== undefined && { name }) };
}

export function hashOf(bytes: Uint8Array): string {
  return newSha256().update(bytes).digest('hex');
}

/** The images of all entries, each once. */
export function storedImagesIn(entries: readonly SessionEntry[]): readonly StoredImage[] {
  const found = new Map<string, StoredImage>();
  for (const entry of entries) for (const image of imagesOfEntry(entry)) found.set(image.hash, image);
  return [...found.values()];
}

export function imagesOfEntry(entry: SessionEntry): readonly StoredImage[] {
  switch (entry.type) {
    case 'user_message':
    case 'tool_result':
      return entry.images ?? [];
    case 'waiting_prompt':
      return entry.prompt?.images ?? [];
    default:
      return [];
  }
}

/** Finds the bytes of an image. */
export type ImageOf = (image: StoredImage) => ImagePart | undefined;

const GONE = '[An image was here. Its file is missing or damaged.]';

/** The content of a user message, out of its entry. */
export function contentOfEntry(
  { content, images, order }: Partial<Pick<EntryOf<'user_message'>, 'images' | 'order'>> & { readonly content: string },
  imageOf: ImageOf,
): UserContent {
  if (!images || images.length === 0) return content;
  const parts = images.map((image): UserPart => imageOf(image) ?? { type: 'text', text: GONE });
  if (order) {
    return order.flatMap((place): readonly UserPart[] => {
      const part = typeof place === 'number' ? parts[place] : ({ type: 'text', text: place } satisfies TextPart);
      return part ? [part] : [];
    });
  }
  return [...parts, ...(content === '' ? [] : [{ type: 'text' as const, text: content }])];
}

/** The images of a tool's result, out of its entry. */
export function imagesOfResult({ images = [] }: EntryOf<'tool_result'>, imageOf: ImageOf): readonly ImagePart[] {
  return images.flatMap((image) => imageOf(image) ?? []);
}

/** The order of texts and images of a content, where it is not the usual one: images, then one text. */
export function orderOf(content: UserContent): readonly (string | number)[] | undefined {
  if (typeof content === 'string') return undefined;
  const firstText = content.findIndex(({ type }) => type === 'text');
  if (firstText === -1 || firstText === content.length - 1) return undefined;
  let images = 0;
  return content.map((part) => (part.type === 'text' ? part.text : images++));
}
