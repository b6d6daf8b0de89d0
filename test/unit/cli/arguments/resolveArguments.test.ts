import assert from 'node:assert/strict';
import { resolveArguments, type CliArguments } from '../../../../src/cli/arguments/resolveArguments';
import type { CliSettings } from '../../../../src/cli/arguments/cliSettings';
import { parseFlags, type Flags } from '../../../../src/cli/arguments/flags';

const nothingGiven = { kind: 'run', baseUrl: '', model: '', ca: '' };

function parseArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  settings?: CliSettings,
): CliArguments | Flags {
  const flags = parseFlags(argv);
  return flags.kind === 'flags' ? resolveArguments(flags, env, settings) : flags;
}

describe('command line arguments', () => {
  it('runs with nothing given', () => {
    assert.deepEqual(parseArguments([], {}), nothingGiven);
  });

  it('prefers flags to the environment', () => {
    const env = { OPEN_AGENT_BASE_URL: 'http://env:1/v1', OPEN_AGENT_MODEL: 'env-model' };
    assert.deepEqual(parseArguments(['-p', 'hi', '--base-url=http://flag:1/v1', '--model', 'm', '--cwd', 'x'], env), {
      kind: 'run',
      prompt: 'hi',
      baseUrl: 'http://flag:1/v1',
      model: 'm',
      ca: '',
      cwd: 'x',
    });
    assert.deepEqual(parseArguments(['--prompt', 'hi'], env), {
      ...nothingGiven,
      prompt: 'hi',
      baseUrl: 'http://env:1/v1',
      model: 'env-model',
    });
  });

  it('names a base URL that is none, wherever it comes from', () => {
    const message = '"not a url" is not the URL of a model server. It looks like http://localhost:8080/v1.';
    assert.deepEqual(parseArguments(['--base-url', 'not a url'], {}), { kind: 'wrong', message });
    assert.deepEqual(parseArguments(['doctor'], { OPEN_AGENT_BASE_URL: 'not a url' }), { kind: 'wrong', message });
    assert.deepEqual(parseArguments([], {}, { baseUrl: 'not a url' }), { kind: 'wrong', message });
  });

  it('falls back to the settings file, and knows short names of servers', () => {
    const settings = { baseUrl: 'http://file:1/v1', model: 'file-model', apiKey: 'sk-file' };
    assert.deepEqual(parseArguments([], {}, settings), {
      ...nothingGiven,
      baseUrl: 'http://file:1/v1',
      model: 'file-model',
      key: { baseUrl: 'http://file:1/v1', value: 'sk-file' },
    });
    const parsed = parseArguments(['--base-url', 'ollama'], { OPEN_AGENT_MODEL: 'env-model' }, settings);
    assert.deepEqual(parsed, {
      ...nothingGiven,
      baseUrl: 'http://localhost:11434/v1',
      model: 'env-model',
      warning:
        'apiKey of the settings file is not sent to http://localhost:11434/v1: it belongs to http://file:1/v1 (baseUrl of the settings file).',
    });
  });

  it('reads the certificate authority from the flag, the environment or the settings file', () => {
    const settings = { ca: 'file.pem' };
    const env = { OPEN_AGENT_CA: 'env.pem' };
    const of = (...given: Parameters<typeof parseArguments>): unknown => parseArguments(...given);
    assert.deepEqual(of(['--ca', 'flag.pem'], env, settings), { ...nothingGiven, ca: 'flag.pem' });
    assert.deepEqual(of([], env, settings), { ...nothingGiven, ca: 'env.pem' });
    assert.deepEqual(of([], {}, settings), { ...nothingGiven, ca: 'file.pem' });
  });

  it('serves on a port, with a token of the environment', () => {
    const served = { kind: 'serve', port: 8642, baseUrl: '', model: 'm', ca: '' };
    assert.deepEqual(parseArguments(['serve', '--model', 'm'], {}), served);
    const env = { OPEN_AGENT_TOKEN: 'a-token-of-22-letters.' };
    assert.deepEqual(parseArguments(['serve', '--model', 'm', '--port', '0'], env), {
      ...served,
      port: 0,
      token: 'a-token-of-22-letters.',
    });
    const limits = ['--max-runs', '2', '--max-run-tokens', '5000', '--max-response-tokens', '1000'];
    assert.deepEqual(parseArguments(['serve', '--model', 'm', ...limits], {}), {
      ...served,
      limits: { maxRuns: 2, maxRunTokens: 5_000, maxResponseTokens: 1_000 },
    });
    const wrong = (argv: readonly string[], variables = {}): unknown => {
      const parsed = parseArguments(argv, variables);
      return parsed.kind === 'wrong' ? parsed.message : parsed;
    };
    assert.deepEqual(
      [
        wrong(['serve', '--port', '70000']),
        wrong(['serve', '--port', '']),
        wrong(['serve', '-p', 'hi']),
        wrong(['--port', '1']),
        wrong(['--max-runs', '1']),
        wrong(['serve', '--max-runs', '0']),
        wrong(['serve', '--max-run-tokens', '1e3']),
        wrong(['serve', '--allow-origin', '*']),
        wrong(['serve', '--max-response-tokens', '2000000']),
        wrong(['serve'], { OPEN_AGENT_TOKEN: 'short' }),
        wrong(['serve'], { OPEN_AGENT_TOKEN: 'a token with spaces in it' }),
      ],
      [
        '--port: "70000" is not a port. Give a number from 0 (any free port) to 65535.',
        '--port: "" is not a port. Give a number from 0 (any free port) to 65535.',
        '--prompt does not belong to serve. serve takes no prompt, session or output option: its callers decide these.',
        '--port belongs to serve.',
        '--max-runs belongs to serve.',
        '--max-runs: "0" is not a whole number from 1 to 256.',
        '--max-run-tokens: "1e3" is not a whole number from 1 to 100000000.',
        '--allow-origin: "*" is not an exact origin such as app://obsidian.md.',
        '--max-response-tokens: "2000000" is not a whole number from 1 to 1000000.',
        'OPEN_AGENT_TOKEN is too short: it needs 16 characters. Leave it unset to get a random token.',
        'OPEN_AGENT_TOKEN may only have visible ASCII characters, without spaces.',
      ],
    );
  });

  const profile = { id: 'gpu', baseUrl: 'http://gpu:1/v1', model: 'big' };
  const choices = {
    baseUrl: 'http://file:1/v1',
    model: 'file-model',
    profiles: [profile],
    agents: [{ id: 'reviewer', profile: 'gpu', model: 'bigger' }, { id: 'plain' }],
  };
  const chosen: readonly [readonly string[], object][] = [
    [
      ['--profile', 'gpu'],
      { baseUrl: 'http://gpu:1/v1', model: 'big', profile: 'gpu', key: { baseUrl: 'http://gpu:1/v1', value: 'sk' } },
    ],
    [
      ['--agent', 'reviewer', '--permission-mode', 'plan'],
      {
        baseUrl: 'http://gpu:1/v1',
        model: 'bigger',
        profile: 'gpu',
        agent: 'reviewer',
        permissionMode: 'plan',
        key: { baseUrl: 'http://gpu:1/v1', value: 'sk' },
      },
    ],
    [
      ['--agent', 'plain', '--profile', 'gpu', '--base-url', 'http://flag:1/v1', '--model', 'm'],
      {
        baseUrl: 'http://flag:1/v1',
        model: 'm',
        profile: 'gpu',
        agent: 'plain',
        key: { baseUrl: 'http://flag:1/v1', value: 'sk' },
      },
    ],
  ];
  for (const [argv, expected] of chosen) {
    it(`accepts server and model with ${argv.join(' ')}`, () => {
      const env = { OPEN_AGENT_MODEL: 'env-model', OPEN_AGENT_API_KEY: 'sk' };
      assert.deepEqual(parseArguments(argv, env, choices), { ...nothingGiven, ...expected });
    });
  }

  for (const [argv, message] of [
    [['--profile', 'x'], 'The settings file ~/.open-agent/settings.json has no usable profile "x". It has: gpu.'],
    [
      ['--agent', 'x'],
      'The settings file ~/.open-agent/settings.json has no usable agent "x". It has: reviewer, plain.',
    ],
    [
      ['--permission-mode', 'yolo'],
      'There is no mode "yolo" (--permission-mode). The modes are: plan, ask, acceptEdits.',
    ],
    [
      ['serve', '--permission-mode', 'sandbox'],
      'There is no mode "sandbox" (--permission-mode). The modes are: plan, ask, acceptEdits.',
    ],
  ] as const) {
    it(`refuses ${argv.join(' ')}`, () => {
      assert.deepEqual(parseArguments(argv, {}, choices), { kind: 'wrong', message });
    });
  }

  it('accepts several allow rules, and refuses invalid ones', () => {
    const parsed = parseArguments(['-p', 'x', '--allow', 'npm test', '--allow', 'edit:docs/**'], {});
    assert.deepEqual(parsed.kind === 'run' && parsed.allow, ['npm test', 'edit:docs/**']);
    for (const rule of ['*', 'npm test; rm x', 'tool:apply_edit', 'sh *']) {
      const refused = parseArguments(['-p', 'x', '--allow', rule], {});
      assert.match(refused.kind === 'wrong' ? refused.message : '', /^The rule /, rule);
    }
    assert.equal(parseArguments(['doctor', '--allow', 'ls'], {}).kind, 'wrong');
  });

  it('accepts several variables to pass on, and refuses what cannot be a name', () => {
    const parsed = parseArguments(['-p', 'x', '--pass-env', 'NPM_TOKEN', '--pass-env', 'AWS_*'], {});
    assert.deepEqual(parsed.kind === 'run' && parsed.passEnvironment, ['NPM_TOKEN', 'AWS_*']);
    for (const name of ['', 'A B', 'NAME=value']) {
      const refused = parseArguments(['-p', 'x', '--pass-env', name], {});
      assert.match(refused.kind === 'wrong' ? refused.message : '', /^--pass-env takes the name of a variable/, name);
    }
    assert.equal(parseArguments(['doctor', '--pass-env', 'A'], {}).kind, 'wrong');
  });

  it('shows help and version with any other flags', () => {
    assert.deepEqual(parseArguments(['-p', '', '--help'], {}), { kind: 'help' });
    assert.deepEqual(parseArguments(['--version', '--model', 'm'], {}), { kind: 'version' });
  });

  for (const [argv, words] of [
    [['--nope'], /--nope/],
    [['stray'], /stray/],
    [['doctor', 'stray'], /doctor takes/],
    [['doctor', '-p', 'Hi'], /doctor takes/],
    [['--model'], /model/],
    [['-p', ' '], /prompt is empty/],
  ] as const) {
    it(`names the problem of ${JSON.stringify(argv)}`, () => {
      const parsed = parseArguments(argv, {});
      assert.match(parsed.kind === 'wrong' ? parsed.message : '', words);
    });
  }

  it('reads the flags of an exam, and leaves them to the exam', () => {
    const given = parseArguments(['exam', '--base-url', 'http://gpu/v1', '--seed', '7', '--fresh', '--json'], {});
    assert.deepEqual(given, {
      kind: 'exam',
      baseUrl: 'http://gpu/v1',
      model: '',
      ca: '',
      seed: 7,
      isForAll: false,
      isFresh: true,
      isJson: true,
    });
    for (const args of [
      ['--json', '-p', 'Hi'],
      ['doctor', '--seed', '1'],
      ['exam', '-p', 'Hi'],
      ['exam', '--seed', '-1'],
      ['exam', '--seed', 'x'],
      ['exam', '--model', 'm', '--all-models'],
    ])
      assert.equal(parseArguments(args, {}).kind, 'wrong', args.join(' '));
  });

  it('accepts doctor with the flags for server and model', () => {
    const given = parseArguments(['doctor', '--base-url', 'http://gpu/v1', '--model', 'm'], {});
    assert.deepEqual(given, { kind: 'doctor', baseUrl: 'http://gpu/v1', model: 'm', ca: '' });
  });

  const value = 'sk-1';
  const keys: readonly [string, readonly string[], Record<string, string>, unknown][] = [
    [
      "belongs to the environment's server",
      [],
      { OPEN_AGENT_BASE_URL: 'http://gpu/v1' },
      { key: { baseUrl: 'http://gpu/v1', value } },
    ],
    [
      'belongs to the server of the flag when the environment names none',
      ['--base-url', 'http://gpu/v1'],
      {},
      { key: { baseUrl: 'http://gpu/v1', value } },
    ],
    [
      'goes to another path of the same server',
      ['--base-url', 'http://gpu/other/v1'],
      { OPEN_AGENT_BASE_URL: 'http://gpu/v1' },
      { key: { baseUrl: 'http://gpu/v1', value } },
    ],
    [
      'goes nowhere when the flag names another server',
      ['--base-url', 'http://other/v1'],
      { OPEN_AGENT_BASE_URL: 'http://gpu/v1' },
      {
        warning:
          'OPEN_AGENT_API_KEY is not sent to http://other/v1: it belongs to http://gpu/v1 (OPEN_AGENT_BASE_URL).',
      },
    ],
    [
      'goes nowhere when a server has to be looked for',
      [],
      {},
      {
        warning:
          'OPEN_AGENT_API_KEY is not used: it needs a base URL to belong to (OPEN_AGENT_BASE_URL or --base-url).',
      },
    ],
  ];
  for (const [name, argv, env, expected] of keys) {
    it(`reads a key that ${name}`, () => {
      const parsed = parseArguments(argv, { ...env, OPEN_AGENT_API_KEY: ` ${value} ` });
      assert.ok(parsed.kind === 'run');
      const { key, warning } = parsed;
      assert.deepEqual({ ...(key && { key }), ...(warning !== undefined && { warning }) }, expected);
    });
  }
});
