import type { ToolOutput } from '../../../sdk/tool';
import { readImageHeader } from '../../../util/images/imageHeader';
import type { GuardedPath } from '../../plans';
import type { FileSystem } from '../../ports';
import { describeBinary } from '../../textEncoding';

/** The image goes with every later request as it is, because nothing here can scale it down. */
const MAX_BYTES = 5_000_000;

/** Whether a file begins as an image that models take. */
export function isImage(head: Uint8Array): boolean {
  return /^a (?:PNG|JPEG|GIF|WebP) image$/.test(describeBinary(head));
}

/** Reads an image for a model that takes images. Checks its header and decodes nothing. */
export async function readImage(
  { realPath, displayPath }: Pick<GuardedPath, 'realPath' | 'displayPath'>,
  size: number,
  fileSystem: Pick<FileSystem, 'readSlice'>,
): Promise<ToolOutput> {
  if (size > MAX_BYTES) {
    return refuse(`${displayPath} is an image of ${size} bytes. Images of at most ${MAX_BYTES} bytes can be read.`);
  }
  const bytes = await fileSystem.readSlice(realPath, 0, MAX_BYTES);
  const read = readImageHeader(bytes);
  if (!read.ok) return refuse(`${displayPath} cannot be read as an image: ${read.error}.`);
  const { mediaType, width, height } = read.header;
  return {
    content: `${displayPath} (${mediaType}, ${width} × ${height} pixels):`,
    images: [{ type: 'image', image: bytes, name: displayPath }],
  };
}

function refuse(content: string): ToolOutput {
  return { content, isError: true };
}
