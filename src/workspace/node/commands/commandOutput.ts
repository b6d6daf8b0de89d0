import { StringDecoder } from 'node:string_decoder';
import { describeBinary } from '../../textEncoding';
import { BoundedOutput } from './boundedOutput';
import type { OutputFolder, OutputWriter } from './outputFolder';

export interface CommandOutputOptions {
  /** UTF-16 units kept at each end. */
  readonly maxHead: number;
  readonly maxTail: number;
  /** Stores the whole output if it is longer. Absent: not stored. */
  readonly folder?: OutputFolder | undefined;
  /** Stores the output from the first byte on. */
  readonly keepsAll?: boolean | undefined;
  /** Gets the text when it arrives. */
  readonly onText: (text: string) => void;
}

/**
 * The output of one command: head and tail in memory, and all of it in a file if it is longer. After the first bytes that
 * are not text, bytes are only counted.
 */
export class CommandOutput {
  readonly #options: CommandOutputOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #text: BoundedOutput;
  /** The text for the file, while there is no file yet. */
  #unwritten = '';
  #writer: OutputWriter | undefined;
  #binary: { readonly name: string; bytes: number } | undefined;

  constructor(options: CommandOutputOptions) {
    this.#options = options;
    this.#text = new BoundedOutput(options);
    if (options.keepsAll) this.#writer = options.folder?.open();
  }

  /** `output:…` once the output is stored. */
  get id(): string | undefined {
    return this.#writer?.id;
  }

  append(bytes: Buffer): void {
    if (this.#binary) {
      this.#binary.bytes += bytes.byteLength;
      return;
    }
    const name = binaryName(bytes);
    if (name === undefined) this.#take(this.#decoder.write(bytes));
    else this.#binary = { name, bytes: bytes.byteLength };
  }

  /** Adds text that the program did not print. */
  note(text: string): void {
    this.#take(text);
  }

  /** Ends the output. */
  finish(): { readonly output: string; readonly omittedBytes: number } {
    this.#take(this.#decoder.end());
    if (this.#binary) this.#take(binaryLine(this.#binary));
    this.#writer?.end();
    return this.#text.finish(this.#writer?.id);
  }

  #take(text: string): void {
    if (text === '') return;
    this.#text.append(text);
    this.#keep(text);
    this.#options.onText(text);
  }

  #keep(text: string): void {
    const { folder, maxHead, maxTail } = this.#options;
    if (!folder) return;
    if (this.#writer) return this.#writer.write(text);
    this.#unwritten += text;
    if (this.#unwritten.length <= maxHead + maxTail) return;
    this.#writer = folder.open();
    this.#writer?.write(this.#unwritten);
    this.#unwritten = '';
  }
}

/** Fewer bytes are always treated as text. */
const MIN_JUDGED = 16;
/** The share of non-text characters that makes an output binary. NUL-separated file names stay below it. */
const MAX_STRANGE = 0.2;

const [ESC, BEL] = ['\u001b', '\u0007'];

/** The probable kind of bytes that are not text; `undefined` for text. */
function binaryName(bytes: Buffer): string | undefined {
  if (bytes.byteLength < MIN_JUDGED) return undefined;
  const text = bytes.toString('utf8');
  const strange =
    text.match(/(?![\b\t\n\v\f\r])[\p{Cc}\ufffd]/gu)?.filter((one) => one !== ESC && one !== BEL).length ?? 0;
  return strange > text.length * MAX_STRANGE ? describeBinary(bytes) : undefined;
}

function binaryLine({ name, bytes }: { readonly name: string; readonly bytes: number }): string {
  const size = bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
  return `[binary, ${size}, looks like ${name}]\n`;
}
