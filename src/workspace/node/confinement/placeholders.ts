import * as fs from 'node:fs/promises';
import { TurnQueue } from '../../../util/async/turnQueue';
import { unescapeMountPath } from './readMachine';

/**
 * Empty folders at places that no command may fill. Bubblewrap can mount only over something that exists. A placeholder is
 * removed when no command needs it any more, unless somebody filled it.
 */
export class Placeholders {
  /** How many commands need each placeholder that this object made. */
  readonly #holders = new Map<string, number>();
  /** Removing a folder would also remove a mount that another command has just made on it. */
  readonly #turns = new TurnQueue();

  /** Makes those that are missing. `release` is to be called once. */
  hold(places: readonly string[]): Promise<{ release(): Promise<void> }> {
    return this.#turns.run(async () => {
      const held: string[] = [];
      for (const place of places) {
        const holders = this.#holders.get(place) ?? 0;
        if (holders === 0 && !(await isMade(place))) continue;
        this.#holders.set(place, holders + 1);
        held.push(place);
      }
      return { release: () => this.#turns.run(() => this.#release(held)) };
    });
  }

  async #release(places: readonly string[]): Promise<void> {
    for (const place of places) {
      const holders = (this.#holders.get(place) ?? 1) - 1;
      if (holders > 0) {
        this.#holders.set(place, holders);
        continue;
      }
      this.#holders.delete(place);
      // Removing it would also remove the mount of a command of another window, and so its protection.
      if (await isMountedElsewhere(place)) continue;
      // Fails if somebody filled it, and then it stays.
      await fs.rmdir(place).catch(() => {});
    }
  }
}

async function isMade(place: string): Promise<boolean> {
  try {
    await fs.mkdir(place);
    return true;
  } catch {
    // It exists, or nothing can be written there.
    return false;
  }
}

/** Whether a bubblewrap of any process of this person has a mount there. */
async function isMountedElsewhere(place: string): Promise<boolean> {
  const processes = (await fs.readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    const name = await fs.readFile(`/proc/${id}/comm`, 'utf8').catch(() => '');
    if (name !== 'bwrap\n') continue;
    const mounts = await fs.readFile(`/proc/${id}/mountinfo`, 'utf8').catch(() => '');
    if (mounts.split('\n').some((line) => unescapeMountPath(line.split(' ')[4] ?? '') === place)) return true;
  }
  return false;
}
