import assert from 'node:assert/strict';
import { resolveArguments } from '../../../../src/cli/arguments/resolveArguments';
import type { CliSettings } from '../../../../src/cli/arguments/cliSettings';
import { parseFlags } from '../../../../src/cli/arguments/flags';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';

const gpu = { id: 'gpu', baseUrl: 'http://gpu:1/v1', model: 'gpu-model' };
const cpu = { id: 'cpu', baseUrl: 'http://cpu:1/v1', model: 'cpu-model' };
const inFile: CliSettings = {
  baseUrl: 'http://file:1/v1',
  model: 'file-model',
  apiKey: 'sk-file',
  ca: 'file.pem',
  profiles: [gpu, cpu],
  agents: [{ id: 'reviewer', profile: 'cpu', model: 'reviewing' }, { id: 'planner' }],
};
const withDefaults = (profile: string, agent = ''): CliSettings => ({
  ...inFile,
  common: { ...defaultAgentSettings, profile, agent },
});

function resolve(argv: readonly string[], env: Readonly<Record<string, string>>, settings: CliSettings) {
  const flags = parseFlags(argv);
  assert.ok(flags.kind === 'flags');
  return resolveArguments(flags, env, settings);
}

describe('flags, environment and settings file', () => {
  /** Flag, variable, what the file says, and where it ends up. */
  const fields: readonly [string, string, string | undefined, (given: ReturnType<typeof resolve>) => unknown][] = [
    ['base-url', 'BASE_URL', inFile.baseUrl, (given) => 'baseUrl' in given && given.baseUrl],
    ['model', 'MODEL', inFile.model, (given) => 'model' in given && given.model],
    ['ca', 'CA', inFile.ca, (given) => 'ca' in given && given.ca],
  ];
  for (const [flag, variable, said, read] of fields) {
    it(`count in this order for --${flag}`, () => {
      const argv = [`--${flag}`, 'http://flag:1/v1'];
      const env = { [`OPEN_AGENT_${variable}`]: 'http://env:1/v1' };
      assert.deepEqual([resolve(argv, env, inFile), resolve([], env, inFile), resolve([], {}, inFile)].map(read), [
        'http://flag:1/v1',
        'http://env:1/v1',
        said,
      ]);
    });
  }

  it('count in this order for --api-key', () => {
    const key = (argv: readonly string[], env: Readonly<Record<string, string>>): unknown => {
      const given = resolve(argv, env, inFile);
      return 'key' in given && given.key?.value;
    };
    const env = { OPEN_AGENT_API_KEY: 'sk-env' };
    assert.deepEqual([key(['--api-key', 'sk-flag'], env), key([], env), key([], {})], ['sk-flag', 'sk-env', 'sk-file']);
  });

  it('count in this order for mode and iterations; other code reads those of the file', () => {
    const chosen = (argv: readonly string[], env: Readonly<Record<string, string>>): unknown => {
      const given = resolve(argv, env, inFile);
      return given.kind === 'run' && [given.permissionMode, given.maxIterations];
    };
    const env = { OPEN_AGENT_PERMISSION_MODE: 'plan', OPEN_AGENT_MAX_ITERATIONS: '7' };
    assert.deepEqual(chosen(['--permission-mode', 'acceptEdits', '--max-iterations', '3'], env), ['acceptEdits', 3]);
    assert.deepEqual(chosen([], env), ['plan', 7]);
    assert.deepEqual(chosen([], {}), [undefined, undefined]);
  });

  const profiles: readonly [
    string,
    readonly string[],
    Readonly<Record<string, string>>,
    CliSettings,
    readonly unknown[],
  ][] = [
    [
      'a flag',
      ['--profile', 'gpu'],
      { OPEN_AGENT_PROFILE: 'cpu' },
      withDefaults('cpu'),
      ['gpu', gpu.baseUrl, gpu.model],
    ],
    ['the environment', [], { OPEN_AGENT_PROFILE: 'gpu' }, withDefaults('cpu'), ['gpu', gpu.baseUrl, gpu.model]],
    ['the settings file', [], {}, withDefaults('gpu'), ['gpu', gpu.baseUrl, gpu.model]],
    [
      'no place, with an empty flag',
      ['--profile', ''],
      {},
      withDefaults('gpu'),
      [undefined, inFile.baseUrl, inFile.model],
    ],
    ['an agent', ['--agent', 'reviewer'], {}, withDefaults('gpu'), ['cpu', cpu.baseUrl, 'reviewing']],
    [
      'a flag, and the model from another one',
      ['--profile', 'gpu', '--model', 'm'],
      { OPEN_AGENT_BASE_URL: 'http://env:1/v1' },
      inFile,
      ['gpu', gpu.baseUrl, 'm'],
    ],
    [
      'the settings file, and the model from the environment',
      [],
      { OPEN_AGENT_MODEL: 'env-model' },
      withDefaults('gpu'),
      ['gpu', gpu.baseUrl, 'env-model'],
    ],
    [
      'the environment, and the server as well',
      [],
      { OPEN_AGENT_PROFILE: 'gpu', OPEN_AGENT_BASE_URL: 'http://env:1/v1' },
      inFile,
      ['gpu', 'http://env:1/v1', gpu.model],
    ],
  ];
  for (const [name, argv, env, settings, expected] of profiles) {
    it(`choose the profile of ${name}`, () => {
      const given = resolve(argv, env, settings);
      assert.ok(given.kind === 'run', JSON.stringify(given));
      assert.deepEqual([given.profile, given.baseUrl, given.model], expected);
    });
  }

  it('send the key of the file to no server of a profile', () => {
    const given = resolve([], {}, withDefaults('gpu'));
    assert.ok(given.kind === 'run');
    assert.equal(given.key, undefined);
    assert.match(given.warning ?? '', /not sent to http:\/\/gpu:1\/v1: it belongs to http:\/\/file:1\/v1/);
  });

  for (const [name, argv, env, settings, message] of [
    [
      'a mode of the environment',
      [],
      { OPEN_AGENT_PERMISSION_MODE: 'yolo' },
      inFile,
      'There is no mode "yolo" (OPEN_AGENT_PERMISSION_MODE). The modes are: plan, ask, acceptEdits.',
    ],
    [
      'the mode of the panel alone',
      [],
      { OPEN_AGENT_PERMISSION_MODE: 'sandbox' },
      inFile,
      'There is no mode "sandbox" (OPEN_AGENT_PERMISSION_MODE). The modes are: plan, ask, acceptEdits.',
    ],
    [
      'iterations of the environment',
      [],
      { OPEN_AGENT_MAX_ITERATIONS: 'many' },
      inFile,
      'OPEN_AGENT_MAX_ITERATIONS: "many" is not a whole number from 1 to 1000.',
    ],
    [
      'no iterations',
      ['--max-iterations', '0'],
      {},
      inFile,
      '--max-iterations: "0" is not a whole number from 1 to 1000.',
    ],
    [
      'a profile of the settings file',
      [],
      {},
      { ...withDefaults('tpu'), file: '/w/s.json' },
      'The settings file /w/s.json has no usable profile "tpu". It has: gpu, cpu.',
    ],
    ['a choice of tools', ['--tool-choice', 'none'], {}, inFile, '--tool-choice: "none" is none of auto, required.'],
    [
      'no session',
      ['--resume', ''],
      {},
      inFile,
      '--resume needs the id of a session. --autoresume continues the newest.',
    ],
    ['no schema', ['--output-schema', ''], {}, inFile, '--output-schema needs the path of a file with a JSON Schema.'],
  ] as const) {
    it(`name the problem: ${name}`, () => {
      assert.deepEqual(resolve(argv, env, settings), { kind: 'wrong', message });
    });
  }

  it('give a run what its flags say', () => {
    const argv = [
      '--no-tui',
      '--no-instructions',
      '--output',
      'json',
      '--resume',
      'abc',
      '--tool-choice',
      'required',
      '--output-schema',
      's',
    ];
    assert.deepEqual(resolve([...argv, '-p', 'Hi'], {}, {}), {
      kind: 'run',
      baseUrl: '',
      model: '',
      ca: '',
      prompt: 'Hi',
      isHeadless: true,
      isWithoutInstructions: true,
      output: 'json',
      resume: { id: 'abc' },
      toolChoice: 'required',
      outputSchema: 's',
    });
    assert.deepEqual(resolve(['--autoresume', '--output', 'text', '--tool-choice', 'auto'], {}, {}), {
      kind: 'run',
      baseUrl: '',
      model: '',
      ca: '',
      resume: { newest: true },
    });
  });
});
