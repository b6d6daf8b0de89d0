import type { LogFile, LogStorage } from '../../../src/sdk/session/logStorage';

type Step = 'open' | 'write' | 'sync';

/** Session files in memory, with failures on demand and a list of steps. */
export class MemoryLogStorage implements LogStorage {
  readonly files = new Map<string, Uint8Array>();
  /** `open`, `write <type of entry>`, `sync`, `close`, in order. */
  readonly steps: string[] = [];
  openFileCount = 0;
  /** Called before each step; its exception is the failure. For `write` it may return the number of written bytes. */
  fault: ((step: Step) => number | undefined) | undefined;

  async *read(filePath: string): AsyncGenerator<Uint8Array> {
    const bytes = this.files.get(filePath);
    if (bytes) yield bytes;
  }

  async readFrom(filePath: string, offset: number): Promise<Uint8Array> {
    return (this.files.get(filePath) ?? new Uint8Array()).subarray(offset);
  }

  async openForAppend(filePath: string): Promise<LogFile> {
    this.fault?.('open');
    this.steps.push('open');
    this.openFileCount += 1;
    if (!this.files.has(filePath)) this.files.set(filePath, new Uint8Array());
    return {
      write: async (bytes) => {
        const taken = this.fault?.('write') ?? bytes.length;
        this.files.set(
          filePath,
          Buffer.concat([this.files.get(filePath) ?? new Uint8Array(), bytes.subarray(0, taken)]),
        );
        this.steps.push(`write ${typeOf(bytes)}`);
        return taken;
      },
      sync: async () => {
        this.fault?.('sync');
        this.steps.push('sync');
      },
      isCurrent: async () => this.files.has(filePath),
      size: async () => this.files.get(filePath)?.length ?? 0,
      close: async () => {
        this.steps.push('close');
        this.openFileCount -= 1;
      },
    };
  }

  text(filePath: string): string {
    return Buffer.from(this.files.get(filePath) ?? []).toString();
  }

  setText(filePath: string, text: string): void {
    this.files.set(filePath, Buffer.from(text));
  }
}

function typeOf(bytes: Uint8Array): string {
  return /"type":"(\w+)"/.exec(Buffer.from(bytes).toString())?.[1] ?? 'the rest';
}
