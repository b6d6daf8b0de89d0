import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { ModelServer, type Turn } from '../../support/servers/modelServer';

/** One start of the command line, with the same result with and without a terminal. */
interface Case {
  readonly name: string;
  readonly args: (server: ModelServer) => readonly string[];
  readonly env?: ((server: ModelServer) => Readonly<Record<string, string>>) | undefined;
  /** Written to `settings.json` in the folder. */
  readonly settings?: ((server: ModelServer) => object) | undefined;
  readonly apiKey?: string | undefined;
  readonly turns: readonly Turn[];
  readonly code: number;
  /** The whole standard output. In a terminal, part of the shown text. */
  readonly answer?: string | undefined;
  /** Part of the log. */
  readonly said?: RegExp | undefined;
  /** The whole standard output. */
  readonly printed?: ((stdout: string) => void) | undefined;
  /** Checks the requests to the model. */
  readonly asked?: ((server: ModelServer) => void) | undefined;
  /** The created files in the folder afterwards. */
  readonly made?: readonly string[] | undefined;
}

const here = (server: ModelServer) => ['--base-url', server.baseUrl, '--model', 'm'];
const hi: Turn = { text: 'Hi.' };
const call = (name: string, args: Readonly<Record<string, unknown>>): Turn => ({
  toolCalls: [{ name, arguments: args }],
});
const command = (text: string): Turn => call('run_terminal_command', { command: text });
const write = (file: string): Turn => call('write_file', { path: file, content: 'x' });
const toolResult = (server: ModelServer): string => String(server.completions.at(-1)!.body.messages.at(-1)!.content);

const cases: readonly Case[] = [
  {
    name: '-p, --base-url and --model',
    args: (server) => ['-p', 'Hello', ...here(server)],
    env: () => ({ OPEN_AGENT_BASE_URL: 'http://127.0.0.1:9', OPEN_AGENT_MODEL: 'other' }),
    turns: [hi],
    code: 0,
    answer: 'Hi.\n',
    asked: ({ completions }) => {
      const { model, messages } = completions[0]!.body;
      assert.deepEqual([model, messages.at(-1)?.content], ['m', 'Hello']);
    },
  },
  {
    name: '--api-key, before the environment',
    args: (server) => ['-p', 'Hello', ...here(server), '--api-key', 'sk-flag'],
    env: () => ({ OPEN_AGENT_API_KEY: 'sk-env' }),
    apiKey: 'sk-flag',
    turns: [hi],
    code: 0,
    answer: 'Hi.\n',
  },
  {
    name: '--settings, after the environment',
    args: () => ['-p', 'Hello', '--settings', 'settings.json'],
    settings: ({ baseUrl }) => ({ baseUrl, model: 'of-file', temperature: 0.3, apiKey: 'sk-file', modle: 'x' }),
    env: () => ({ OPEN_AGENT_MODEL: 'of-env' }),
    apiKey: 'sk-file',
    turns: [hi],
    code: 0,
    answer: 'Hi.\n',
    said: /Warning: \S+settings\.json: "modle" is not a setting\. The settings are: baseUrl, model, /,
    asked: ({ completions }) => {
      const { model, temperature } = completions[0]!.body;
      assert.deepEqual([model, temperature], ['of-env', 0.3]);
    },
  },
  {
    name: '--settings with a file that is not there',
    args: (server) => ['-p', 'Hello', ...here(server), '--settings', 'nothing.json'],
    turns: [],
    code: 2,
    said: /^There is no settings file \S+nothing\.json\. Check --settings, or OPEN_AGENT_SETTINGS\.$/m,
  },
  {
    name: '--profile',
    args: () => ['-p', 'Hello', '--profile', 'gpu'],
    env: () => ({ OPEN_AGENT_SETTINGS: 'settings.json', OPEN_AGENT_MODEL: 'of-env' }),
    settings: ({ baseUrl }) => ({
      profile: 'slow',
      profiles: [profile('slow', baseUrl, 1), profile('gpu', baseUrl, 7)],
    }),
    turns: [hi],
    code: 0,
    answer: 'Hi.\n',
    asked: ({ completions }) => {
      const { model, top_k } = completions[0]!.body;
      assert.deepEqual([model, top_k], ['gpu-model', 7]);
    },
  },
  {
    name: '--cwd',
    args: (server) => ['-p', 'Read', ...here(server), '--cwd', 'sub'],
    turns: [call('read_file', { path: 'b.txt' }), hi],
    code: 0,
    asked: (server) => assert.match(toolResult(server), /two/),
  },
  {
    name: '--permission-mode plan',
    args: (server) => ['-p', 'Write', ...here(server), '--permission-mode', 'plan'],
    turns: [write('p'), hi],
    code: 0,
    asked: (server) => assert.match(toolResult(server), /plan/),
    made: [],
  },
  {
    name: '--permission-mode acceptEdits',
    args: (server) => ['-p', 'Write', ...here(server), '--permission-mode', 'acceptEdits'],
    turns: [write('p'), hi],
    code: 0,
    made: ['p'],
  },
  {
    name: '--allow, twice',
    args: (server) => ['-p', 'Make', ...here(server), '--allow', 'touch p', '--allow', 'touch q'],
    turns: [command('touch p'), command('touch q'), hi],
    code: 0,
    made: ['p', 'q'],
  },
  {
    name: '--max-iterations',
    args: (server) => ['-p', 'Read', ...here(server), '--max-iterations', '2'],
    env: () => ({ OPEN_AGENT_MAX_ITERATIONS: '1' }),
    turns: [call('read_file', { path: 'a.txt' }), call('read_file', { path: 'sub/b.txt' })],
    code: 4,
    said: /^Error: The run reached its limit of tool calls before it was done\. Raise the limit with --max-iterations/m,
    asked: ({ completions }) => assert.equal(completions.length, 2),
  },
  {
    name: '--tool-choice required',
    args: (server) => ['-p', 'Read', ...here(server), '--tool-choice', 'required'],
    turns: [call('read_file', { path: 'a.txt' }), hi],
    code: 0,
    asked: ({ completions }) => {
      assert.deepEqual(
        completions.map(({ body }) => body['tool_choice']),
        ['required', undefined],
      );
    },
  },
  {
    name: '--output-schema',
    args: (server) => ['-p', '2 + 2?', ...here(server), '--output-schema', 'schema.json'],
    turns: [{ text: 'It is four.' }, { text: '```json\n{"sum": 4, "why": "\\u009b"}\n```' }],
    code: 0,
    answer: '{"sum":4,"why":"\\u009b"}\n',
    asked: ({ completions }) => assert.equal(completions.length, 2),
  },
  {
    name: '--output-schema that no answer matches',
    args: (server) => ['-p', '2 + 2?', ...here(server), '--output-schema', 'schema.json'],
    turns: [{ text: 'Four.' }, { text: '{}' }, { text: '{"sum": "4"}' }],
    code: 5,
    said: /^Error: The answer of m does not match outputSchema after 2 corrections: sum: expected number/m,
  },
  {
    name: '--output-schema that is none',
    args: (server) => ['-p', '2 + 2?', ...here(server), '--output-schema', 'a.txt'],
    turns: [],
    code: 2,
    said: /--output-schema: \S+a\.txt is not a usable JSON Schema: /,
  },
  {
    name: '--output json',
    args: (server) => ['-p', 'Read', ...here(server), '--output', 'json'],
    turns: [{ text: 'I read.\u009b', toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, hi],
    code: 0,
    printed: (stdout) => {
      const events = eventsIn(stdout);
      assert.deepEqual(
        events.map(({ type }) => type).filter((type) => type !== 'status' && type !== 'usage'),
        ['session', 'run_start', 'text', 'message', 'tool_call', 'tool_result', 'text', 'message', 'result'],
      );
      const { ts: _ts, ...result } = events.at(-1)!;
      assert.deepEqual(result, { v: 1, type: 'result', status: 'FINISHED', exitCode: 0, answer: 'Hi.' });
      assert.ok(!stdout.includes('\u009b'));
    },
  },
  {
    name: '--output json with a denial',
    args: (server) => ['-p', 'Remove', ...here(server), '--output', 'json'],
    turns: [command('rm a.txt'), hi],
    code: 3,
    printed: (stdout) => {
      const [denied] = eventsIn(stdout).filter(({ type }) => type === 'denied');
      assert.equal(denied?.['subject'], 'rm a.txt');
      assert.equal(eventsIn(stdout).at(-1)?.['exitCode'], 3);
    },
    said: /^Error: One call was denied because nobody could be asked\./m,
  },
  {
    name: '--no-tui',
    args: (server) => ['--no-tui', '-p', 'Remove', ...here(server)],
    turns: [command('rm a.txt'), hi],
    code: 3,
    said: /Denied: nobody can be asked\./,
    asked: (server) => assert.match(toolResult(server), /denied.*Nobody can approve it/s),
  },
  { name: '--help', args: () => ['--help'], turns: [], code: 0, said: /^Usage: open-agent \[options\]/m },
  { name: '--version', args: () => ['--version'], turns: [], code: 0, said: /^open-agent \d+\.\d+\.\d+/m },
  {
    name: 'an unknown flag',
    args: () => ['--modle', 'm'],
    turns: [],
    code: 2,
    said: /'--modle'.*\nSee open-agent --help\./s,
  },
  {
    name: 'a value that is none',
    args: () => ['--output', 'xml'],
    turns: [],
    code: 2,
    said: /^--output: "xml" is none of text, json\.\nSee open-agent --help\.$/m,
  },
];

function profile(id: string, baseUrl: string, topK: number): object {
  return { id, baseUrl, model: `${id}-model`, topK };
}

function eventsIn(stdout: string): readonly (Readonly<Record<string, unknown>> & { readonly type: string })[] {
  const lines = stdout.split('\n');
  // A terminal also shows the one line of an error.
  const events = lines.filter((line) => line !== '' && !line.startsWith('Error: '));
  return events.map((line) => JSON.parse(line) as { type: string });
}

const schema = JSON.stringify({
  type: 'object',
  properties: { sum: { type: 'integer' }, why: { type: 'string' } },
  required: ['sum'],
});

describe('flags of the command line', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'schema.json': schema } });

  async function prepare({ apiKey, turns, settings }: Case): Promise<void> {
    await cli.replaceServer(() => ModelServer.start({ apiKey }));
    cli.server.script(...turns);
    await writeFile(path.join(cli.folder, 'settings.json'), JSON.stringify(settings?.(cli.server) ?? {}));
  }

  async function check({ made, asked }: Case): Promise<void> {
    assert.deepEqual(cli.server.unexpected, []);
    assert.equal(cli.server.turnsLeft, 0);
    asked?.(cli.server);
    const given = ['a.txt', 'schema.json', 'settings.json', 'sub'];
    if (made)
      assert.deepEqual(
        (await readdir(cli.folder)).filter((name) => !given.includes(name)),
        made,
      );
  }

  for (const given of cases) {
    const { name, args, env, code, answer, said, printed } = given;
    const environment = () => ({ NO_COLOR: '1', ...env?.(cli.server) });

    it(`without a terminal: ${name}`, async () => {
      await prepare(given);
      const ended = await cli.run(args(cli.server), { env: environment() });
      assert.equal(ended.code, code, ended.stderr);
      if (answer !== undefined) assert.equal(ended.stdout, answer);
      if (said) assert.match(ended.stdout + ended.stderr, said);
      printed?.(ended.stdout);
      await check(given);
    });

    it(`in a terminal: ${name}`, async () => {
      await prepare(given);
      const terminal = cli.startInTerminal(args(cli.server), environment());
      assert.equal(await terminal.exitCode, code, terminal.text);
      if (answer !== undefined) assert.ok(terminal.text.includes(answer), terminal.text);
      if (said) assert.match(terminal.text, said);
      printed?.(terminal.text);
      await check(given);
    });
  }

  it('all appear in the help and in docs/command-line.md', async () => {
    const { stdout } = await cli.run(['--help']);
    const reference = await readFile(path.join(projectRoot, 'docs/command-line.md'), 'utf8');
    const source = await readFile(path.join(projectRoot, 'src/cli/arguments/flags.ts'), 'utf8');
    const flags = [...source.matchAll(/^ {2}'?([a-z-]+)'?: \{ type: /gm)].map(([, flag = '']) => flag);
    assert.ok(flags.length > 15);
    for (const flag of flags) {
      assert.match(stdout, new RegExp(`--${flag}\\b`));
      assert.match(reference, new RegExp(`--${flag}\\b`), flag);
    }
  });
});
