import assert from 'node:assert/strict';
import {
  defaultAgentSettings,
  parseAgentSettings,
  problemText,
} from '../../../../src/agent/configuration/agentSettings';
import * as l10n from '../../../../src/util/l10n';
import german from '../../../../l10n/bundle.l10n.de.json';

describe('agent settings', () => {
  it('takes good values, trimmed where blanks mean nothing', () => {
    const raw = {
      baseUrl: ' http://localhost:8080/v1 ',
      certificateAuthority: ' /etc/ssl/ours.pem ',
      model: ' qwen ',
      temperature: 0,
      maxTokens: 2048,
      contextWindow: 8192,
      maxToolIterations: 20,
      checks: 'problems',
      modelOptions: { 'qwen*': { toolCalls: 'text', replayReasoning: 'always', contextWindow: 4096 } },
      systemPrompt: 'Use tabs.',
      profile: ' gpu ',
      agent: 'reviewer',
      permissionMode: 'plan',
      commandMode: 'terminal',
      confineCommands: 'workspace',
      commandEnvironment: ['NPM_TOKEN', 'AWS_*'],
      profiles: [{ id: 'gpu', baseUrl: 'http://gpu', model: 'big' }],
      agents: [{ id: 'reviewer', profile: 'gpu' }],
      unknown: 1,
    };
    assert.deepEqual(parseAgentSettings(raw), {
      settings: {
        baseUrl: 'http://localhost:8080/v1',
        certificateAuthority: '/etc/ssl/ours.pem',
        model: 'qwen',
        temperature: 0,
        maxTokens: 2048,
        contextWindow: 8192,
        maxToolIterations: 20,
        checks: 'problems',
        modelOptions: { 'qwen*': { toolCalls: 'text', replayReasoning: 'always', contextWindow: 4096 } },
        systemPrompt: 'Use tabs.',
        profile: 'gpu',
        agent: 'reviewer',
        permissionMode: 'plan',
        commandMode: 'terminal',
        confineCommands: 'workspace',
        commandEnvironment: ['NPM_TOKEN', 'AWS_*'],
        profiles: [{ id: 'gpu', baseUrl: 'http://gpu', model: 'big' }],
        agents: [{ id: 'reviewer', profile: 'gpu' }],
      },
      problems: [],
    });
  });

  for (const raw of [{}, undefined, null, 'x', []]) {
    it(`has a default for everything when given ${JSON.stringify(raw)}`, () => {
      assert.deepEqual(parseAgentSettings(raw), { settings: defaultAgentSettings, problems: [] });
    });
  }

  const bad: readonly [string, unknown, string][] = [
    [
      'certificateAuthority',
      'ours.pem',
      'certificateAuthority must be the absolute path of a PEM file, but is "ours.pem". Using "".',
    ],
    [
      'temperature',
      'hot',
      `temperature must be a number from 0 to 2, or null, but is "hot". Using the server's own default.`,
    ],
    ['temperature', 3, `temperature must be a number from 0 to 2, or null, but is 3. Using the server's own default.`],
    [
      'maxTokens',
      1.5,
      `maxTokens must be a whole number above 0, or null, but is 1.5. Using the server's own default.`,
    ],
    ['maxToolIterations', 0, 'maxToolIterations must be a whole number from 1 to 1000, but is 0. Using 50.'],
    ['model', 7, 'model must be text, but is 7. Using "".'],
    ['systemPrompt', {}, 'systemPrompt must be text, but is {}. Using "".'],
    [
      'commandEnvironment',
      ['A B'],
      'commandEnvironment must be a list of names such as "NPM_TOKEN" and patterns such as "AWS_*", but is ["A B"]. Using [].',
    ],
    ['baseUrl', 8080, 'baseUrl must be a text such as "http://localhost:8080/v1", but is 8080. Using "".'],
  ];
  for (const [setting, value, message] of bad) {
    it(`names ${setting} when it is ${JSON.stringify(value)}, and uses its default`, () => {
      assert.deepEqual(parseAgentSettings({ [setting]: value }), {
        settings: defaultAgentSettings,
        problems: [{ setting, message }],
      });
    });
  }

  it('keeps a base URL that makes no sense, so that no other server is taken instead', () => {
    const { settings, problems } = parseAgentSettings({ baseUrl: 'ftp://gpu/v1' });
    assert.equal(settings.baseUrl, 'ftp://gpu/v1');
    assert.deepEqual(
      problems.map(({ setting, message }) => [setting, message.includes('ftp')]),
      [['baseUrl', true]],
    );
  });

  it('names a bad setting in the language of the person', () => {
    l10n.config({ contents: german });
    try {
      const { problems } = parseAgentSettings({ temperature: 'hot' });
      assert.deepEqual(problems.map(problemText), [
        'Einstellung openAgent.temperature muss eine Zahl von 0 bis 2 oder null sein, ist aber "hot". Verwendet wird die Vorgabe des Servers.',
      ]);
    } finally {
      l10n.config({ contents: {} });
    }
  });
});
