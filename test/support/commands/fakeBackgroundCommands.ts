import { Emitter } from '../../../src/util/emitter';
import type { BackgroundCommand, BackgroundCommands, BackgroundStart } from '../../../src/workspace/ports';

/** Background commands that run nothing. They print and end when the test says so. */
export class FakeBackgroundCommands implements BackgroundCommands {
  readonly requests: unknown[] = [];
  /** The immediate output of the next started commands. */
  firstOutput = '';
  readonly #running = new Map<string, BackgroundCommand>();
  readonly #changes = new Emitter<void>((error) => {
    throw error;
  });
  #count = 0;

  start(request: Parameters<BackgroundCommands['start']>[0]): Promise<BackgroundStart> {
    this.requests.push(request);
    const id = `output:${String(this.#count++).padStart(8, '0')}`;
    const { command, cwd } = request;
    this.#running.set(id, { id, command, cwd, startedMs: 1, lastLine: this.firstOutput.trim() });
    this.#changes.emit();
    return Promise.resolve({ kind: 'running', id, output: this.firstOutput });
  }

  list(): readonly BackgroundCommand[] {
    return [...this.#running.values()];
  }

  stop(id: string): Promise<boolean> {
    const wasThere = this.#running.delete(id);
    if (wasThere) this.#changes.emit();
    return Promise.resolve(wasThere);
  }

  onChange(listener: () => void): ReturnType<BackgroundCommands['onChange']> {
    return this.#changes.on(listener);
  }

  /** Makes the command print a line. */
  print(id: string, lastLine: string): void {
    const one = this.#running.get(id);
    if (one) this.#running.set(id, { ...one, lastLine });
    this.#changes.emit();
  }
}
