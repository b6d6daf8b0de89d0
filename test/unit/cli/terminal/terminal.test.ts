import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { openTerminal } from '../../../../src/cli/terminal/terminal';

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

  it('takes a marked paste for one text that Enter sends, whatever comes between its lines', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('> ');
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    for (const part of ['\u001b[200~first\r', 'second\r', 'third\u001b[201~']) {
      input.write(part);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(isAnswered, false);
    input.write(' and more\r');
    assert.equal(await answer, 'first\nsecond\nthird and more');
    terminal.dispose();
  });

  it('does not take for an answer what was pasted before the question', async () => {
    const { input, terminal } = open();
    input.write('\u001b[200~y\ry\u001b[201~');
    await new Promise((resolve) => setImmediate(resolve));
    const answer = terminal.ask('Allow? ');
    input.write('\r');
    assert.equal(await answer, '');
    terminal.dispose();
  });

  it('has the terminal mark pastes, and no longer once it is closed', () => {
    const input = new PassThrough();
    const output = new PassThrough();
    openTerminal({ input, output }).dispose();
    const written = String(output.read());
    assert.ok(written.indexOf('\u001b[?2004h') < written.indexOf('\u001b[?2004l'), JSON.stringify(written));
    assert.ok(written.includes('\u001b[?2004h'));
  });

  it('keeps the question open at Ctrl+C, with nothing typed', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('> ');
    const heard = new Promise<void>((resolve) => terminal.onInterrupt(resolve));
    input.write('half\u0003');
    await heard;
    input.write('whole\r');
    assert.equal(await answer, 'whole');
    terminal.dispose();
  });

  it('tells of the end of input, and not of its own', async () => {
    const first = open();
    const heard = new Promise<void>((resolve) => first.terminal.onEnd(resolve));
    first.input.write('\u0004');
    await heard;
    const second = open();
    second.terminal.onEnd(() => assert.fail('it was closed here'));
    second.terminal.dispose();
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
