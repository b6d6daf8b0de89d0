import { readImageHeader } from '../../util/images/imageHeader';

/** An image as it is sent: a PNG or JPEG, no larger than models need. */
export interface PreparedImage {
  readonly name: string;
  /** A data URL. */
  readonly image: string;
}

/** Models scale larger images down, and each pixel costs tokens. Text of a screen stays readable. */
const LONGEST_SIDE = 1_280;
/** A larger PNG is sent as a JPEG. */
const MAX_PNG_BYTES = 1_500_000;
const JPEG_QUALITY = 0.9;

/**
 * Draws an image file anew: smaller if it is larger than models need, and without what else is in the file, such as the place
 * where a photo was taken. Rejects with a reason for people.
 */
export async function prepareImage(file: File): Promise<PreparedImage> {
  const name = file.name === '' ? 'image' : file.name;
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Before the browser reserves memory for the size that the file declares.
  const read = readImageHeader(bytes);
  if (!read.ok) throw new Error(`${name} cannot be attached: ${read.error}. PNG, JPEG, WebP and GIF can be sent.`);
  const { mediaType, width, height } = read.header;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(new Blob([bytes], { type: mediaType }));
  } catch {
    throw new Error(`${name} cannot be attached: it is damaged.`);
  }
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const png = mediaType === 'image/jpeg' ? undefined : await blobOf(canvas, 'image/png');
  const blob = png && png.size <= MAX_PNG_BYTES ? png : await blobOf(onWhite(canvas), 'image/jpeg');
  return { name, image: await dataUrlOf(blob) };
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
  if (!blob) throw new Error('The image could not be drawn.');
  return blob;
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error('The image could not be read.'));
    reader.readAsDataURL(blob);
  });
}
