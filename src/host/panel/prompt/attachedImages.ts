import * as z from 'zod';
import type { ImagePart } from '../../../sdk/messages';
import { describeImage, type ImageStore } from '../../../sdk/session/images/imageStore';
import type { StoredImage } from '../../../sdk/session/images/storedImage';
import type { WorkspaceMemory } from '../../workspace/memory';
import * as l10n from '../../../util/l10n';

const key = 'openAgent.draftImages';
/** The most images of one prompt. */
export const MAX_IMAGES = 20;

const Kept = z
  .array(z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), name: z.string().optional() }))
  .max(MAX_IMAGES)
  .catch([]);

export interface AttachedImagesParts {
  readonly memory: WorkspaceMemory;
  /** Keeps the images beside the sessions, so a reload loses nothing. */
  readonly store: ImageStore;
}

/** The images that go with the next prompt. They are kept until a session has them. */
export class AttachedImages {
  readonly #parts: AttachedImagesParts;
  #list: readonly StoredImage[] = [];

  constructor(parts: AttachedImagesParts) {
    this.#parts = parts;
  }

  get list(): readonly StoredImage[] {
    return this.#list;
  }

  /** Reads what an earlier window has left. */
  async restore(): Promise<void> {
    const { memory, store } = this.#parts;
    const kept = Kept.parse(memory.get(key) ?? []).map((image) => ({ ...blank, ...image }));
    if (kept.length === 0) return;
    await store.load(kept);
    this.#list = kept.flatMap((stored) => {
      const image = store.get(stored);
      return image ? [describeImage(image)] : [];
    });
  }

  /** Throws for people when the image cannot be sent. */
  async attach(image: ImagePart): Promise<void> {
    if (this.#list.length >= MAX_IMAGES) throw new Error(l10n.t('A message takes {0} images at most.', MAX_IMAGES));
    await this.add(await this.#parts.store.save(image));
  }

  /** Adds an image that the store has. */
  async add(...images: readonly StoredImage[]): Promise<void> {
    const known = new Set(this.#list.map(({ hash }) => hash));
    await this.#set([...this.#list, ...images.filter(({ hash }) => !known.has(hash))].slice(0, MAX_IMAGES));
  }

  async remove(hashes: readonly string[]): Promise<void> {
    await this.#set(this.#list.filter(({ hash }) => !hashes.includes(hash)));
  }

  /** The attached ones of these images. */
  async find(hashes: readonly string[]): Promise<readonly ImagePart[]> {
    const { store } = this.#parts;
    const wanted = this.#list.filter(({ hash }) => hashes.includes(hash));
    await store.load(wanted);
    return wanted.flatMap((stored) => store.get(stored) ?? []);
  }

  async #set(list: readonly StoredImage[]): Promise<void> {
    this.#list = list;
    const kept = list.map(({ hash, name }) => ({ hash, ...(name !== undefined && { name }) }));
    await this.#parts.memory.update(key, kept.length === 0 ? undefined : kept);
  }
}

/** A store finds images by hash alone. */
const blank = { mediaType: 'image/png', size: 0, width: 1, height: 1 } as const;
