/** The pictures of images by their hash. Each is asked for once, when it is first shown. */
export class Pictures {
  readonly #ask: (hash: string) => void;
  readonly #waiting = new Map<string, ((picture: Blob | undefined) => void)[]>();
  readonly #known = new Map<string, Blob | undefined>();

  constructor(ask: (hash: string) => void) {
    this.#ask = ask;
  }

  /** `undefined`: its file is missing. */
  find(hash: string): Promise<Blob | undefined> {
    if (this.#known.has(hash)) return Promise.resolve(this.#known.get(hash));
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(hash);
      this.#waiting.set(hash, [...(waiting ?? []), resolve]);
      if (!waiting) this.#ask(hash);
    });
  }

  /** `image`: a data URL; absent: there is none. */
  receive(hash: string, image: string | undefined): void {
    const blob = image === undefined ? undefined : blobOf(image);
    if (blob) this.#known.set(hash, blob);
    for (const resolve of this.#waiting.get(hash) ?? []) resolve(blob);
    this.#waiting.delete(hash);
  }
}

function blobOf(url: string): Blob | undefined {
  const [, type, base64] = /^data:(image\/[a-z]+);base64,(.*)$/.exec(url) ?? [];
  if (type === undefined || base64 === undefined) return undefined;
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return new Blob([bytes], { type });
}
