import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import { localFolder, updateState } from '../../../src/localModel/localState';
import { takeExistingLease } from '../../../src/localModel/run/keeperClient';
import { readKeeperFile } from '../../../src/localModel/run/keeperFile';
import type { LocalServerStatus } from '../../../src/localModel/run/keeperMessages';
import { delay } from '../../../src/util/async/delay';
import { isRunning } from '../commands/processes';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { writeFakeLlamaServer, type FakeStart } from './fakeLlamaServer';
import { LocalWindow } from './localWindow';

/** None of these starts the model, except the first `show` of a window where nobody has stopped it. */
export const quietSteps = ['list', 'look', 'glance', 'hide', 'show', 'count', 'open window', 'reload'] as const;
export const endingSteps = ['stop', 'unused', 'crash for good', 'kill the keeper', 'reload for long'] as const;
export const answeringSteps = [
  'old session',
  'new session',
  'extension',
  'single answer',
  'stop, old session',
] as const;
export const changingSteps = ['crash', 'change the model', 'change it while stopped'] as const;

export type Step =
  | (typeof quietSteps)[number]
  | (typeof endingSteps)[number]
  | (typeof answeringSteps)[number]
  | (typeof changingSteps)[number];

interface FakeServer {
  readonly program: string;
  readonly starts: () => Promise<readonly FakeStart[]>;
}

/** Windows on one machine with a model. Knows when the model may have started, and who answers. */
export class ModelWorld implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #fake: FakeServer;
  readonly #keeperFile: string;
  readonly #others: LocalWindow[] = [];
  window: LocalWindow;
  #wasShown = false;
  #old: { readonly id: string; readonly session: AgentSession; readonly window: LocalWindow } | undefined;
  #chosen = 'first';
  #runs = false;
  #hasCrashed = false;
  /** The starts that there may have been. */
  #starts = 0;

  private constructor(folder: TemporaryFolder, fake: FakeServer, keeperFile: string) {
    this.#folder = folder;
    this.#fake = fake;
    this.#keeperFile = keeperFile;
    this.window = this.#open();
  }

  /** A machine where `first` is set up and does not run. */
  static async open(keeperFile: string, behaviour = 'ok'): Promise<ModelWorld> {
    const folder = await createTemporaryFolder();
    const world = new ModelWorld(folder, await writeFakeLlamaServer(folder.path), keeperFile);
    mkdirSync(world.#models);
    await world.#choose('first', behaviour);
    return world;
  }

  starts(): Promise<readonly FakeStart[]> {
    return this.#fake.starts();
  }

  /** Fails when the model was started without need, or when there is no answer of the chosen model. */
  async take(step: Step): Promise<void> {
    await this.#take(step);
    await this.window.server.ensure({ quiet: true });
    const status = await this.#keeperStatus();
    assert.equal((await this.starts()).length, this.#starts, `starts after: ${step}`);
    const runs = status !== undefined && ['starting', 'loading', 'ready'].includes(status.kind);
    assert.equal(runs, this.#runs, `${status?.kind} after: ${step}`);
  }

  async #take(step: Step): Promise<void> {
    const { window } = this;
    const { server, offered, local, schedule } = window;
    switch (step) {
      case 'list': {
        const ids = (await offered.list()).map(({ id }) => id);
        return assert.deepEqual(ids, [`server/${this.#chosen}`]);
      }
      case 'look':
        return server.refresh();
      case 'glance':
        return schedule.run();
      case 'hide':
        return server.setWatched(false);
      case 'show':
        return this.#show();
      case 'count': {
        const { signal } = new AbortController();
        return assert.ok((await offered.countTokens(`server/${this.#chosen}`, 'Hi', signal)) > 0);
      }
      case 'open window':
        this.#others.push(this.#open());
        await this.#others.at(-1)?.offered.list();
        return;
      case 'reload': {
        const next = this.#open();
        await next.offered.list();
        return this.#replaceWindow(next);
      }
      case 'reload for long':
        for (const other of this.#others.splice(0)) await other.close();
        await window.close();
        await until('the keeper has ended', async () => !(await this.#isKeeperRunning()));
        this.#runs = false;
        return this.#replaceWindow(this.#open());
      case 'stop':
        await local.stop();
        this.#runs = false;
        return this.#untilKeeper('stopped');
      case 'unused':
        return this.#runs ? this.#leaveUnused() : undefined;
      case 'crash':
        return this.#runs ? this.#crash() : undefined;
      case 'crash for good':
        while (this.#runs) await this.#crash();
        return;
      case 'kill the keeper':
        return this.#killKeeper();
      case 'change the model':
        await this.#choose(this.#chosen === 'first' ? 'second' : 'first');
        await local.start(new AbortController().signal);
        return this.#noteStart();
      case 'change it while stopped':
        if (this.#runs) return;
        await this.#choose(this.#chosen === 'first' ? 'second' : 'first');
        // The choice is read with each look.
        return server.refresh({ quiet: true });
      case 'stop, old session':
        await local.stop();
        this.#runs = false;
        return this.#expectAnswer(async () => this.#answerOf(await this.oldSession()));
      case 'old session':
        return this.#expectAnswer(async () => this.#answerOf(await this.oldSession()));
      case 'new session':
        return this.#expectAnswer(async () => this.#answerOf(await window.newSession()));
      case 'extension':
        return this.#expectAnswer(() => window.askAsExtension(`server/${this.#chosen}`));
      case 'single answer':
        return this.#expectAnswer(() => window.ask());
      default:
        return step satisfies never;
    }
  }

  /** A session in mid-answer, and the process that answers. The model must hold its first answer. */
  async beginAnswer(): Promise<{ readonly session: AgentSession; readonly pid: number }> {
    const session = await this.oldSession();
    await session.submit({ text: 'Hi' });
    await until('the answer has begun', async () => session.view.items.at(-1)?.kind === 'text');
    return { session, pid: (await this.starts()).at(-1)!.pid };
  }

  async oldSession(): Promise<AgentSession> {
    const { window } = this;
    if (this.#old?.window !== window) {
      const session = await (this.#old ? window.openSession(this.#old.id) : window.newSession());
      this.#old = { id: session.id, session, window };
    }
    return this.#old.session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const window of [this.window, ...this.#others]) await window.close();
    let left = 'nothing was looked at';
    const what = () => `every process has ended: ${left}`;
    await until(what, async () => {
      const keeper = await readKeeperFile(this.#models);
      const pids = [...(keeper ? [keeper.pid] : []), ...(await this.starts()).map(({ pid }) => pid)];
      if (keeper && !(await isRunning(keeper.pid))) {
        // It was killed, and no later one has ended its server.
        for (const pid of pids) await killIfRunning(pid);
        return true;
      }
      const runs = await Promise.all(pids.map(isRunning));
      left = `${JSON.stringify(keeper)}, of ${pids.join()} there run ${pids.filter((_, index) => runs[index]).join()}`;
      return !runs.includes(true);
    });
    await this.#folder.dispose();
  }

  get #models(): string {
    return path.join(this.#folder.path, 'models');
  }

  #open(): LocalWindow {
    this.#wasShown = false;
    return new LocalWindow({
      folder: this.#models,
      sessions: path.join(this.#folder.path, 'sessions'),
      keeper: { file: this.#keeperFile, graceMs: 500, pollMs: 50 },
    });
  }

  async #replaceWindow(next: LocalWindow): Promise<void> {
    const { window } = this;
    this.window = next;
    await window.close();
  }

  #choose(name: string, behaviour = 'ok'): Promise<void> {
    this.#chosen = name;
    const modelFile = path.join(this.#models, `${name}.gguf`);
    writeFileSync(modelFile, behaviour);
    return updateState(this.#models, {
      chosen: { program: this.#fake.program, modelFile, modelBytes: 1e9, name, context: 16_384 },
    });
  }

  async #show(): Promise<void> {
    const { server } = this.window;
    const kind = (await this.#keeperStatus())?.kind ?? 'idle';
    const starts = !this.#wasShown && kind === 'idle' && !existsSync(localFolder(this.#models).stopped);
    this.#wasShown = true;
    server.setWatched(true);
    if (!starts) return;
    this.#noteStart();
    await until('it is connected', async () => server.state.kind === 'connected');
  }

  async #leaveUnused(): Promise<void> {
    const { window } = this;
    window.idleMinutes = 1e-6;
    await window.local.start(new AbortController().signal);
    await this.#untilKeeper('stopped');
    window.idleMinutes = 0;
    this.#runs = false;
  }

  async #crash(): Promise<void> {
    const { pid } = (await this.starts()).at(-1)!;
    process.kill(pid, 'SIGKILL');
    if (this.#hasCrashed) {
      this.#runs = false;
      return this.#untilKeeper('failed');
    }
    this.#hasCrashed = true;
    this.#starts += 1;
    await until('it was started again', async () => (await this.starts()).length === this.#starts);
    await this.#untilKeeper('ready');
  }

  async #killKeeper(): Promise<void> {
    const keeper = await readKeeperFile(this.#models);
    if (!keeper || !(await this.#isKeeperRunning())) return;
    process.kill(keeper.pid, 'SIGKILL');
    this.#runs = false;
    await until('the window knows', async () => this.window.local.status.kind !== 'ready');
  }

  async #isKeeperRunning(): Promise<boolean> {
    const keeper = await readKeeperFile(this.#models);
    return keeper !== undefined && isRunning(keeper.pid);
  }

  #noteStart(): void {
    this.#starts += 1;
    this.#runs = true;
    this.#hasCrashed = false;
  }

  async #expectAnswer(answer: () => Promise<string>): Promise<void> {
    if (!this.#runs) this.#noteStart();
    assert.equal(await answer(), `Hello from ${this.#chosen}`);
  }

  async #answerOf(session: AgentSession): Promise<string> {
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    const last = session.view.items.at(-1);
    return last?.kind === 'text' ? last.text : JSON.stringify(last);
  }

  async #keeperStatus(): Promise<LocalServerStatus | undefined> {
    const lease = await takeExistingLease({
      folder: this.#models,
      onInternalError: (error) => assert.fail(String(error)),
    });
    lease?.dispose();
    return lease?.status;
  }

  /** The window knows it, too. */
  async #untilKeeper(kind: LocalServerStatus['kind']): Promise<void> {
    const { local } = this.window;
    await until(`it is ${kind}`, async () => {
      const status = await this.#keeperStatus();
      return status === undefined || (status.kind === kind && local.status.kind === kind);
    });
  }
}

async function killIfRunning(pid: number): Promise<void> {
  if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
}

export async function until(what: string | (() => string), isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 20_000; !(await isSo()); await delay(20)) {
    if (performance.now() > end) assert.fail(`Waited in vain until ${typeof what === 'string' ? what : what()}.`);
  }
}
