import * as l10n from '../../util/l10n';
import { readImageHeader } from '../../util/images/imageHeader';
import { sentSize } from '../../util/images/sentSize';

/** An image as it is sent: a PNG or JPEG, no larger than models need. */
export interface PreparedImage {
  readonly name: string;
  /** A data URL. */
  readonly image: string;
}

/** A larger PNG is sent as a JPEG. */
const MAX_PNG_BYTES = 1_500_000;
const JPEG_QUALITY = 0.9;

/**
 * Draws an image file anew: smaller if it is larger than models need, and without what else is in the file, such as the place
 * where a photo was taken. Rejects with a reason for people.
 */
export async function prepareImage(file: File): Promise<PreparedImage> {
  const name = file.name === '' ? 'image' : file.name;
  return { name, image: await prepareBytes(new Uint8Array(await file.arrayBuffer()), name) };
}

/** Draws an image that is given as a data URL anew, like `prepareImage`. Rejects likewise. */
export function scaleImage(image: string): Promise<string> {
  const bytes = atob(image.slice(image.indexOf(',') + 1));
  return prepareBytes(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
    l10n.t('The image'),
  );
}

async function prepareBytes(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  // Before the browser reserves memory for the size that the file declares.
  const read = readImageHeader(bytes);
  if (!read.ok)
    throw new Error(l10n.t('{0} cannot be attached: {1}. PNG, JPEG, WebP and GIF can be sent.', name, read.error));
  const { mediaType } = read.header;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(new Blob([bytes], { type: mediaType }));
  } catch {
    throw new Error(l10n.t('{0} cannot be attached: it is damaged.', name));
  }
  const canvas = document.createElement('canvas');
  const { width, height } = sentSize(picture);
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const png = mediaType === 'image/jpeg' ? undefined : await blobOf(canvas, 'image/png');
  const blob = png && png.size <= MAX_PNG_BYTES ? png : await blobOf(onWhite(canvas), 'image/jpeg');
  return dataUrlOf(blob);
}

/** A JPEG has no transparency, and would show it black. */
function onWhite(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}

async function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY));
  if (!blob) throw new Error(l10n.t('The image could not be drawn.'));
  return blob;
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error(l10n.t('The image could not be read.')));
    reader.readAsDataURL(blob);
  });
}
