import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { openTerminal } from '../../../src/cli/terminal';

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  return { input, output, terminal: openTerminal({ input, output }) };
}

describe('terminal', () => {
  it('gives what is typed after the question', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('Allow? ');
    input.write('y\n');
    assert.equal(await answer, 'y');
    terminal.dispose();
  });

  it('takes lines that arrive together for one text', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('> ');
    input.write('first\nsecond\n');
    assert.equal(await answer, 'first\nsecond');
    terminal.dispose();
  });

  it('does not take for an answer what was half typed before the question', async () => {
    const { input, terminal } = open();
    input.write('y');
    await new Promise((resolve) => setImmediate(resolve));
    const answer = terminal.ask('Allow? ');
    input.write('\n');
    assert.equal(await answer, '');
    terminal.dispose();
  });

  it('gives what is typed without a question to whoever listens', async () => {
    const { input, terminal } = open();
    const heard = new Promise((resolve) => terminal.onLine(resolve));
    input.write('by the way\n');
    assert.equal(await heard, 'by the way');
    terminal.dispose();
  });

  it('takes a question back when its signal is aborted, and can ask again', async () => {
    const { input, terminal } = open();
    const controller = new AbortController();
    const answer = terminal.ask('Allow? ', { signal: controller.signal });
    controller.abort();
    assert.equal(await answer, undefined);
    const again = terminal.ask('> ');
    input.write('hello\n');
    assert.equal(await again, 'hello');
    terminal.dispose();
  });

  it('answers nothing at the end of input, now and later', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('> ');
    input.end();
    assert.equal(await answer, undefined);
    assert.equal(await terminal.ask('> '), undefined);
  });

  it('hears Ctrl+C', async () => {
    const { input, terminal } = open();
    const heard = new Promise<void>((resolve) => terminal.onInterrupt(resolve));
    input.write('\u0003');
    await heard;
    terminal.dispose();
  });
});
