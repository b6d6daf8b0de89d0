import type { AgentEvent } from '../../sdk/events';
import type { ImagePart, UserContent } from '../../sdk/messages';
import type { SessionEntry } from '../../sdk/session/entries';
import {
  contentOfEntry,
  createImageStore,
  describeImage,
  storedImagesIn,
  type ImageOf,
  type ImageStore,
} from '../../sdk/session/images/imageStore';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import { checkImage } from '../../sdk/images/imagePart';
import { branchOf } from '../../sdk/session/replay';

export interface SessionImagesParts {
  /** Absent: the images last as long as the session. */
  readonly store?: ImageStore | undefined;
  /** Gets the error of an image that could not be written. It stays in memory. */
  readonly onInternalError: (error: unknown) => void;
}

/** The images of one session. */
export class SessionImages {
  readonly store: ImageStore;
  readonly #onInternalError: (error: unknown) => void;
  /** The images of prompts, which screens show before the model gets them and the log names them. By their hash. */
  readonly #kept = new Map<string, StoredImage>();

  constructor({ store = createImageStore(), onInternalError }: SessionImagesParts) {
    this.store = store;
    this.#onInternalError = onInternalError;
  }

  get imageOf(): ImageOf {
    return (image) => this.store.get(image);
  }

  /** Keeps the images of a prompt. Throws `invalid_options` for an image that cannot be sent. */
  async keep(images: readonly ImagePart[]): Promise<readonly StoredImage[]> {
    const kept: StoredImage[] = [];
    for (const image of images.map(checkImage)) {
      try {
        kept.push(await this.store.save(image));
      } catch (error) {
        this.#onInternalError(error);
        kept.push(describeImage(image));
      }
    }
    for (const image of kept) this.#kept.set(image.hash, image);
    return kept;
  }

  /** Reads the images of the newest branch. */
  async load(entries: readonly SessionEntry[]): Promise<void> {
    const images = storedImagesIn(branchOf(entries));
    if (images.length > 0) await this.store.load(images);
  }

  /** What the client gets for a prompt. */
  async contentOf(prompt: {
    readonly content: string;
    readonly images?: readonly StoredImage[] | undefined;
  }): Promise<UserContent> {
    if (prompt.images) await this.store.load(prompt.images);
    return contentOfEntry(prompt, this.imageOf);
  }

  /** The image with this hash, if the session names it. */
  async find(hash: string, entries: readonly SessionEntry[]): Promise<ImagePart | undefined> {
    const named = this.#kept.get(hash) ?? storedImagesIn(entries).find((image) => image.hash === hash);
    if (!named) return undefined;
    await this.store.load([named]);
    return this.store.get(named);
  }
}

/** An event for screens. They ask for the images that they show. */
export function withoutImageBytes(event: AgentEvent): AgentEvent {
  if (event.type === 'user_message' && event.content) {
    const { content: _content, ...rest } = event;
    return rest;
  }
  if (event.type !== 'tool_execution_end' || !event.result.images) return event;
  const { images: _images, ...result } = event.result;
  return { ...event, result };
}
