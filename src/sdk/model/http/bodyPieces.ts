import { asError } from '../../../util/errors';

/** The pieces of a body, as they come. No stream of the platform: each read of one costs several promises. */
export interface BodyPieces {
  /**
   * Calls `settle` once there are pieces or the body is over, at once if so now. With an error, when reading has failed and all pieces
   * before that were taken. Replaces the function that waits.
   */
  whenReady(settle: (error?: Error) => void): void;
  /** Takes the pieces that have come. */
  take(): { readonly pieces: readonly Uint8Array[]; readonly isOver: boolean };
  /** Ends the body where it is, and closes its connection. */
  cancel(): void;
}

/** The pieces of a response: those that its transport gives with it, or else those of its stream. `undefined` without a body. */
export function piecesOf(response: Response): BodyPieces | undefined {
  if (PIECES in response) return response[PIECES] as BodyPieces;
  const reader = response.body?.getReader();
  return reader && new StreamPieces(reader);
}

const PIECES = Symbol('pieces');

/** A response whose body can be read as pieces too, instead of as a stream. */
export function withPieces(response: Response, pieces: BodyPieces): Response {
  return Object.defineProperty(response, PIECES, { value: pieces });
}

export interface PushedPiecesOptions {
  /** Called after all pieces were taken. */
  readonly onTaken?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
}

/** Pieces that are pushed. */
export class PushedPieces implements BodyPieces {
  readonly #options: PushedPiecesOptions;
  #pieces: Uint8Array[] = [];
  #isOver = false;
  #error: Error | undefined;
  #settle: ((error?: Error) => void) | undefined;

  constructor(options: PushedPiecesOptions = {}) {
    this.#options = options;
  }

  get count(): number {
    return this.#pieces.length;
  }

  get hasEnded(): boolean {
    return this.#isOver || this.#error !== undefined;
  }

  push(piece: Uint8Array): void {
    if (this.hasEnded) return;
    this.#pieces.push(piece);
    this.#tell();
  }

  /** Only the first end counts. */
  end(error?: Error): void {
    if (this.hasEnded) return;
    if (error) this.#error = error;
    else this.#isOver = true;
    this.#tell();
  }

  whenReady(settle: (error?: Error) => void): void {
    this.#settle = settle;
    if (this.count > 0 || this.hasEnded) this.#tell();
  }

  take(): { readonly pieces: readonly Uint8Array[]; readonly isOver: boolean } {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#options.onTaken?.();
    return { pieces, isOver: this.#isOver };
  }

  cancel(): void {
    this.end();
    this.#options.onCancel?.();
  }

  #tell(): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(this.count === 0 ? this.#error : undefined);
  }
}

/** The pieces of a stream, read when somebody waits for them. */
class StreamPieces extends PushedPieces {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #isReading = false;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    // Reading has ended, if the body cannot be cancelled.
    super({ onCancel: () => void reader.cancel().catch(() => {}) });
    this.#reader = reader;
  }

  override whenReady(settle: (error?: Error) => void): void {
    super.whenReady(settle);
    if (this.count === 0 && !this.hasEnded && !this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const { value, done } = await this.#reader.read();
      if (done) this.end();
      else this.push(value);
    } catch (error) {
      this.end(asError(error));
    }
    this.#isReading = false;
  }
}
