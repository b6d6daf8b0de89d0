import assert from 'node:assert/strict';
import type { BackgroundCommands, BackgroundStart } from '../../src/workspace/ports';

export interface BackgroundWorld {
  readonly commands: BackgroundCommands;
  /** Absolute path of a folder that is there. */
  readonly cwd: string;
  /** A command that prints `ready` and goes on until it is stopped. */
  readonly command: string;
}

/** What every `BackgroundCommands` does. */
export function testBackgroundCommands(name: string, open: () => Promise<BackgroundWorld>): void {
  describe(`background commands: ${name}`, () => {
    let world: BackgroundWorld;

    beforeEach(async () => {
      world = await open();
    });

    async function start(): Promise<Extract<BackgroundStart, { kind: 'running' }>> {
      const { commands, cwd, command } = world;
      const started = await commands.start({ command, cwd }, { signal: new AbortController().signal });
      assert.ok(started.kind === 'running', JSON.stringify(started));
      return started;
    }

    it('goes on after its call, is listed, and ends when it is stopped', async () => {
      const { commands, cwd, command } = world;
      let changes = 0;
      const subscription = commands.onChange(() => changes++);
      const { id, output } = await start();
      assert.match(id, /^output:[0-9a-f]{8}$/);
      assert.equal(output, 'ready\n');
      assert.deepEqual(
        commands.list().map(({ startedMs, ...rest }) => ({ ...rest, hasStart: startedMs > 0 })),
        [{ id, command, cwd, lastLine: 'ready', hasStart: true }],
      );
      const changesBefore = changes;
      assert.ok(changesBefore > 0);
      assert.equal(await commands.stop(id), true);
      assert.deepEqual(commands.list(), []);
      assert.ok(changes > changesBefore);
      assert.equal(await commands.stop(id), false);
      subscription.dispose();
    });

    it('runs several at once, oldest first', async () => {
      const { commands } = world;
      const [one, other] = [await start(), await start()];
      assert.notEqual(one.id, other.id);
      assert.deepEqual(
        commands.list().map(({ id }) => id),
        [one.id, other.id],
      );
      await commands.stop(one.id);
      assert.deepEqual(
        commands.list().map(({ id }) => id),
        [other.id],
      );
      await commands.stop(other.id);
    });

    it('knows nothing of ids it did not give', async () => {
      assert.equal(await world.commands.stop('output:ffffffff'), false);
    });
  });
}
