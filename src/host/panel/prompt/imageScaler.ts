import { checkImage, imageHeaderOf, toDataUrl } from '../../../sdk/images/imagePart';
import type { ImagePart } from '../../../sdk/messages';
import { isSentSmaller } from '../../../util/images/sentSize';
import type { SetTimer } from '../../../util/timer';
import type { Fact } from '../panelChannel';

/** A page that has not answered by then is busy or gone. */
const PATIENCE_MS = 20_000;

export interface ImageScalerParts {
  readonly post: (fact: Fact) => void;
  /** Whether a page is listening. */
  readonly isOpen: () => boolean;
  readonly setTimer: SetTimer;
}

/** Has the page scale images down: only browsers decode pictures. Without a page they stay as they are. */
export class ImageScaler {
  readonly #parts: ImageScalerParts;
  readonly #waiting = new Map<string, (image: string | undefined) => void>();
  #count = 0;

  constructor(parts: ImageScalerParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  scaleAll(images: readonly ImagePart[]): Promise<readonly ImagePart[]> {
    return Promise.all(images.map((image) => this.#scale(image)));
  }

  /** The page's answer. `undefined`: it could not draw the image. */
  receive(id: string, image: string | undefined): void {
    this.#waiting.get(id)?.(image);
  }

  /** The page is gone. */
  giveUp(): void {
    for (const settle of this.#waiting.values()) settle(undefined);
  }

  async #scale(part: ImagePart): Promise<ImagePart> {
    const header = imageHeaderOf(part);
    if (!header || !isSentSmaller(header) || !this.#parts.isOpen()) return part;
    const image = typeof part.image === 'string' ? part.image : toDataUrl(part.image, header.mediaType);
    const scaled = await this.#ask(image);
    return scaled === undefined ? part : (smaller(part, scaled) ?? part);
  }

  async #ask(image: string): Promise<string | undefined> {
    const { post, setTimer } = this.#parts;
    this.#count += 1;
    const id = String(this.#count);
    const answer = new Promise<string | undefined>((resolve) => this.#waiting.set(id, resolve));
    const timer = setTimer(() => this.receive(id, undefined), PATIENCE_MS);
    post({ type: 'scale_image', id, image });
    const scaled = await answer;
    timer.dispose();
    this.#waiting.delete(id);
    return scaled;
  }
}

/** The page's picture, if it is one. */
function smaller(part: ImagePart, image: string): ImagePart | undefined {
  try {
    return checkImage({ type: 'image', image, ...(part.name !== undefined && { name: part.name }) });
  } catch {
    return undefined;
  }
}
