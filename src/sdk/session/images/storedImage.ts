import type { ImageMediaType } from '../../../util/images/imageHeader';

/** An image as a session's file names it. Its bytes are in an `ImageStore`. */
export interface StoredImage {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly mediaType: ImageMediaType;
  /** In bytes. */
  readonly size: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly name?: string | undefined;
}
