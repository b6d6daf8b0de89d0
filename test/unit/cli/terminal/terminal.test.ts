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
  it('returns the text typed after the question', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('Run? ');
    input.write('y\n');
    assert.equal(await answer, 'y');
    terminal.dispose();
  });

  it('treats lines that arrive together as one text', async () => {
    const { input, terminal } = open();
    const answer = terminal.ask('> ');
    input.write('first\nsecond\n');
    assert.equal(await answer, 'first\nsecond');
    terminal.dispose();
  });

  it('treats a marked paste as one text, sent with Enter', async () => {
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

  it('does not use text pasted before the question as the answer', async () => {
    const { input, terminal } = open();
    input.write('\u001b[200~y\ry\u001b[201~');
    await new Promise((resolve) => setImmediate(resolve));
    const answer = terminal.ask('Run? ');
    input.write('\r');
    assert.equal(await answer, '');
    terminal.dispose();
  });

  it('does not show an answer that must be hidden, also after Ctrl+C, and shows the next one', async () => {
    const { input, output, terminal } = open();
    let shown = '';
    output.on('data', (part: Buffer) => (shown += part.toString()));
    const settled = () => new Promise((resolve) => setTimeout(resolve));
    const key = terminal.ask('Key: ', { isHidden: true });
    input.write('sk-one');
    await settled();
    input.write('\u0003');
    await settled();
    input.write('sk-two\r');
    assert.equal(await key, 'sk-two');
    assert.equal(shown.split('Key: ').length, 3);
    assert.doesNotMatch(shown, /sk|one|two/);
    const next = terminal.ask('Run? ');
    input.write('yes\r');
    assert.equal(await next, 'yes');
    assert.match(shown, /\n.*Run\? .*yes/s);
    terminal.dispose();
  });

  it('turns the marking of pastes on, and off when it is closed', () => {
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

  it('reports the end of input, but not its own disposal', async () => {
    const first = open();
    const heard = new Promise<void>((resolve) => first.terminal.onEnd(resolve));
    first.input.write('\u0004');
    await heard;
    const second = open();
    second.terminal.onEnd(() => assert.fail('it was closed here'));
    second.terminal.dispose();
  });

  it('does not use half-typed text as the answer to a later question', async () => {
    const { input, terminal } = open();
    input.write('y');
    await new Promise((resolve) => setImmediate(resolve));
    const answer = terminal.ask('Run? ');
    input.write('\n');
    assert.equal(await answer, '');
    terminal.dispose();
  });

  it('passes lines typed without a question to listeners', async () => {
    const { input, terminal } = open();
    const heard = new Promise((resolve) => terminal.onLine(resolve));
    input.write('by the way\n');
    assert.equal(await heard, 'by the way');
    terminal.dispose();
  });

  it('withdraws a question when its signal is aborted, and can ask again', async () => {
    const { input, terminal } = open();
    const controller = new AbortController();
    const answer = terminal.ask('Run? ', { signal: controller.signal });
    controller.abort();
    assert.equal(await answer, undefined);
    const again = terminal.ask('> ');
    input.write('hello\n');
    assert.equal(await again, 'hello');
    terminal.dispose();
  });

  it('returns undefined at the end of input, now and later', async () => {
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
