import assert from 'node:assert/strict';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { startDoctorServer } from '../../support/servers/doctorServer';
import type { CompletionRequest, Turn } from '../../support/servers/modelServer';

describe('command line and the server of its model', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });

  const read = (path: string) => ({ name: 'read_file', arguments: { path } });
  const callsInMessages = ({ body }: CompletionRequest): readonly number[] =>
    body.messages.flatMap(({ role, tool_calls: calls }) => (role === 'assistant' ? [calls?.length ?? 0] : []));
  /** Llama 3.1 on llama-server: a template that takes one call in a message. */
  const oneCall = (request: CompletionRequest): Turn => {
    const message = 'Error: Jinja Exception: This model only supports single tool-calls at once!';
    const isRefused = callsInMessages(request).some((count) => count > 1);
    return isRefused
      ? { kind: 'status', status: 500, body: { error: { code: 500, message, type: 'server_error' } } }
      : { text: 'Both are short.' };
  };

  it('remembers the law of a template for the next process', async () => {
    cli.server.script({ toolCalls: [read('a.txt'), read('b.txt')] }, oneCall, oneCall);
    const first = await cli.run([...cli.flags, '-p', 'Read both.']);
    assert.deepEqual([first.code, first.stdout], [0, 'Both are short.\n'], first.stderr);
    assert.equal(first.stderr.split('one call').length, 2, first.stderr);
    const before = cli.server.completions.length;
    cli.server.script(oneCall);
    const second = await cli.run([...cli.flags, '--autoresume', '-p', 'And now?']);
    assert.deepEqual([second.code, second.stdout], [0, 'Both are short.\n'], second.stderr);
    const later = cli.server.completions.slice(before);
    assert.deepEqual(later.map(callsInMessages), [[1, 1, 0]]);
  });

  it('sends calls that were made together as one message to a server that takes them', async () => {
    cli.server.script({ toolCalls: [read('a.txt'), read('b.txt')] }, { text: 'Both are short.' });
    const { code } = await cli.run([...cli.flags, '-p', 'Read both.']);
    assert.deepEqual([code, callsInMessages(cli.server.completions[1]!)], [0, [2]]);
  });

  it('says which way out there is when the instructions alone do not fit, once and without a summary in vain', async () => {
    const message = 'request (880 tokens) exceeds the available context size (800 tokens), try increasing it';
    const refusal: Turn = { kind: 'status', status: 400, body: { error: { code: 400, message } } };
    await cli.replaceServer(() => startDoctorServer({ contextWindow: 800, replies: { cache: refusal } }));
    cli.server.setRoute('/apply-template', { status: 200, body: { prompt: 'Whole.' } });
    cli.server.setRoute('/tokenize', { status: 200, body: { tokens: Array.from({ length: 870 }, () => 1) } });
    const { code, stderr } = await cli.run([...cli.flags, '-p', 'Hello']);
    assert.deepEqual([code, cli.server.completions.length], [1, 1], stderr);
    assert.equal(stderr.match(/Our instructions alone do not fit/g)?.length, 1, stderr);
    assert.match(stderr, /-c 8192/);
    assert.doesNotMatch(stderr, /tokens became/);
  });

  it('prints the end of an answer that broke once', async () => {
    cli.server.script({ text: 'Once upon', finishReason: null });
    const { code, stderr } = await cli.run([...cli.flags, '-p', 'Tell']);
    assert.equal(code, 1);
    assert.deepEqual(
      stderr.match(/\w+: The answer of .* was cut off/g)?.map((line) => line.slice(0, 5)),
      ['Error'],
    );
  });

  it('prints the error of a run once', async () => {
    const message = 'the model is broken';
    cli.server.script({ kind: 'status', status: 400, body: { error: { message } } });
    const { code, stderr } = await cli.run([...cli.flags, '-p', 'Hello']);
    assert.equal(code, 1);
    assert.equal(stderr.split(message).length, 2, stderr);
  });

  const doctorOn = async (call: Turn) => {
    await cli.replaceServer(() => startDoctorServer({ replies: { call, parallel: call } }));
    const { code, stdout } = await cli.run(['doctor', '--base-url', cli.server.baseUrl]);
    return { code, stdout, summary: stdout.trimEnd().split('\n').at(-1) ?? '' };
  };

  it('calls no model fine in the doctor that calls no tool', async () => {
    const { code, stdout, summary } = await doctorOn({ text: 'I cannot.' });
    assert.deepEqual([code, /^\d problems?, /.test(summary)], [1, true], stdout);
    assert.match(stdout, /^\[Problem\] Tool calls/m);
  });

  it('counts what the doctor could not find out, and does not call it fine', async () => {
    const { code, stdout, summary } = await doctorOn({ text: 'Let me think about', finishReason: 'length' });
    assert.deepEqual([code, /\d not known, \d fine\.$/.test(summary)], [1, true], stdout);
    assert.match(stdout, /^\[Not known\] Tool calls/m);
  });
});
