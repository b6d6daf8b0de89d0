import assert from 'node:assert/strict';
import { readRecording } from '../../support/servers/turns';

interface Frame {
  readonly choices?: readonly { readonly delta?: { readonly content?: string; readonly reasoning_content?: string } }[];
}

/** The position in bytes after the frame of a recorded stream that completes `text`, in the answer or the thinking. */
export function positionAfter(file: string, text: string): number {
  let position = 0;
  let said = '';
  for (const frame of readRecording(file)
    .toString('utf8')
    .split(/(?<=\n\n)/)) {
    position += Buffer.byteLength(frame);
    const json = /^data: (\{.*\})\s*$/.exec(frame)?.[1];
    if (json === undefined) continue;
    const delta = (JSON.parse(json) as Frame).choices?.[0]?.delta;
    said += (delta?.reasoning_content ?? '') + (delta?.content ?? '');
    if (said.includes(text)) return position;
  }
  return assert.fail(`${file} never says "${text}".`);
}

/** Positions that split a recording into writes of `size` bytes, also inside lines and characters. */
export function everyBytes(file: string, size: number): readonly number[] {
  const { length } = readRecording(file);
  return Array.from({ length: Math.floor(length / size) }, (_, index) => (index + 1) * size);
}
