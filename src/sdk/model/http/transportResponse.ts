import { withPieces, type BodyPieces } from './bodyPieces';
import type { HeaderFields } from './headerFields';

export interface ResponseHead {
  /** The address that was asked. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderFields;
}

/**
 * A response with its head, and the pieces of its body for `piecesOf`. Whoever reads the body in another way gets it from the
 * platform's `Response`, made for that: Node loads its whole `fetch` for this class. `pieces`: absent without a body.
 */
export function transportResponse(head: ResponseHead, pieces: BodyPieces | undefined): Response {
  const response = new TransportResponse(head, pieces);
  return pieces ? withPieces(response, pieces) : response;
}

class TransportResponse implements Response {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderFields;
  readonly redirected = false;
  readonly type = 'default';
  readonly #pieces: BodyPieces | undefined;
  #made: Response | undefined;

  constructor({ url, status, statusText, headers }: ResponseHead, pieces: BodyPieces | undefined) {
    this.url = url;
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
    this.#pieces = pieces;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get bodyUsed(): boolean {
    return this.#made?.bodyUsed ?? false;
  }

  get body(): Response['body'] {
    return this.#platform.body;
  }

  arrayBuffer(): ReturnType<Response['arrayBuffer']> {
    return this.#platform.arrayBuffer();
  }

  blob(): ReturnType<Response['blob']> {
    return this.#platform.blob();
  }

  /** Of newer platforms only. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.arrayBuffer());
  }

  clone(): Response {
    return this.#platform.clone();
  }

  formData(): ReturnType<Response['formData']> {
    return this.#platform.formData();
  }

  json(): ReturnType<Response['json']> {
    return this.#platform.json();
  }

  text(): ReturnType<Response['text']> {
    return this.#platform.text();
  }

  get #platform(): Response {
    const { status, headers } = this;
    this.#made ??= new Response(this.#pieces ? streamOf(this.#pieces) : null, { status, headers });
    return this.#made;
  }
}

/** The platform's prototype, if somebody has asked for that class already, as all do who ask whether this is a `Response`. */
function platformPrototype(): object {
  const loaded: unknown = Object.getOwnPropertyDescriptor(globalThis, 'Response')?.value;
  return typeof loaded === 'function' ? (loaded.prototype as object) : Object.prototype;
}

Object.setPrototypeOf(TransportResponse.prototype, new Proxy({}, { getPrototypeOf: platformPrototype }));

/** The body as a stream. It takes pieces only when it is read, so they can be read without it. */
function streamOf(pieces: BodyPieces): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        new Promise((resolve, reject) => {
          pieces.whenReady((error) => {
            if (error) return reject(error);
            const taken = pieces.take();
            for (const piece of taken.pieces) controller.enqueue(piece);
            if (taken.isOver) controller.close();
            resolve();
          });
        }),
      cancel: () => pieces.cancel(),
    },
    { highWaterMark: 0 },
  );
}
