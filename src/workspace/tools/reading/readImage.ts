import { imageHeaderOf } from '../../../sdk/images/imagePart';
import type { ImagePart } from '../../../sdk/messages';
import type { ToolOutput } from '../../../sdk/tool';
import { readImageHeader } from '../../../util/images/imageHeader';
import type { GuardedPath } from '../../plans';
import type { FileSystem } from '../../ports';
import { describeBinary } from '../../textEncoding';
import type { WorkspaceAccess } from '../workspaceAccess';

/** An image that nothing scales down goes with every later request as it is. */
const MAX_BYTES = 5_000_000;

/** Whether a file begins as an image that models take. */
export function isImage(head: Uint8Array): boolean {
  return /^a (?:PNG|JPEG|GIF|WebP) image$/.test(describeBinary(head));
}

/**
 * Reads an image for a model that takes images. Checks its header and decodes nothing: the panel scales it down. The model
 * gets the size of the file and the size that it sees.
 */
export async function readImage(
  { realPath, displayPath }: Pick<GuardedPath, 'realPath' | 'displayPath'>,
  size: number,
  { ports, scaleImage }: Pick<WorkspaceAccess, 'scaleImage'> & { readonly ports: { readonly fileSystem: Slices } },
): Promise<ToolOutput> {
  if (size > MAX_BYTES) {
    return refuse(`${displayPath} is an image of ${size} bytes. Images of at most ${MAX_BYTES} bytes can be read.`);
  }
  const bytes = await ports.fileSystem.readSlice(realPath, 0, MAX_BYTES);
  const read = readImageHeader(bytes);
  if (!read.ok) return refuse(`${displayPath} cannot be read as an image: ${read.error}.`);
  const { mediaType, width, height } = read.header;
  const original: ImagePart = { type: 'image', image: bytes, name: displayPath };
  const image = (await scaleImage?.(original)) ?? original;
  const sent = image === original ? undefined : imageHeaderOf(image);
  const scaled = sent ? `, scaled to ${sent.width} × ${sent.height}` : '';
  return { content: `${displayPath} (${mediaType}, ${width} × ${height} pixels${scaled}):`, images: [image] };
}

type Slices = Pick<FileSystem, 'readSlice'>;

function refuse(content: string): ToolOutput {
  return { content, isError: true };
}
