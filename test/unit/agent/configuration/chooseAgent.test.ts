import assert from 'node:assert/strict';
import { defaultAgentSettings, type AgentSettings } from '../../../../src/agent/configuration/agentSettings';
import {
  chooseAgent,
  type AgentChoice,
  type AgentConfiguration,
} from '../../../../src/agent/configuration/chooseAgent';

interface Layers {
  readonly settings?: Partial<AgentSettings>;
  readonly profile?: object;
  readonly agent?: object;
  readonly choice?: AgentChoice;
}

function configurationOf({ settings, profile, agent, choice = {} }: Layers): AgentConfiguration {
  const all: AgentSettings = {
    ...defaultAgentSettings,
    ...settings,
    profiles: profile ? [{ id: 'p', baseUrl: 'http://profile', model: 'profile-model', ...profile }] : [],
    agents: agent ? [{ id: 'a', ...agent }] : [],
  };
  const chosen = chooseAgent(all, { profile: profile ? 'p' : undefined, agent: agent ? 'a' : undefined, ...choice });
  assert.deepEqual(chosen.problems, []);
  return chosen.configuration;
}

type Field = keyof AgentConfiguration;

/** What each layer says of a field, the weakest first, and what holds when it is the strongest that says anything. */
const fields: readonly {
  readonly field: Field;
  readonly byDefault: unknown;
  readonly layers: readonly [Layers, unknown][];
}[] = [
  {
    field: 'baseUrl',
    byDefault: '',
    layers: [
      [{ settings: { baseUrl: 'http://settings' } }, 'http://settings'],
      [{ profile: {} }, 'http://profile'],
      [{ choice: { baseUrl: 'http://choice' } }, 'http://choice'],
    ],
  },
  {
    field: 'model',
    byDefault: '',
    layers: [
      [{ settings: { model: 'settings-model' } }, 'settings-model'],
      [{ profile: {} }, 'profile-model'],
      [{ agent: { model: 'agent-model' } }, 'agent-model'],
      [{ choice: { overrides: { model: 'choice-model' } } }, 'choice-model'],
    ],
  },
  {
    field: 'systemPrompt',
    byDefault: '',
    layers: [
      [{ settings: { systemPrompt: 'Settings.' } }, 'Settings.'],
      [{ profile: { systemPrompt: 'Profile.' } }, 'Profile.'],
      [{ agent: { prompt: 'Agent.' } }, 'Agent.'],
      [{ choice: { overrides: { systemPrompt: 'Choice.' } } }, 'Choice.'],
    ],
  },
  ...(
    [
      ['temperature', null, [0.1, 0.2, 0.3, 0.4]],
      ['maxTokens', null, [100, 200, 300, 400]],
    ] as const
  ).map(([field, byDefault, [inSettings, inProfile, inAgent, inChoice]]) => ({
    field,
    byDefault,
    layers: [
      [{ settings: { [field]: inSettings } }, inSettings],
      [{ profile: { [field]: inProfile } }, inProfile],
      [{ agent: { [field]: inAgent } }, inAgent],
      [{ choice: { overrides: { [field]: inChoice } } }, inChoice],
    ] as [Layers, unknown][],
  })),
  ...(
    [
      ['topP', [0.2, 0.3, 0.4]],
      ['topK', [20, 30, 40]],
      ['reasoningEffort', ['low', 'medium', 'high']],
      ['thinking', [true, false, true]],
    ] as const
  ).map(([field, [inProfile, inAgent, inChoice]]) => ({
    field,
    byDefault: undefined,
    layers: [
      [{ profile: { [field]: inProfile } }, inProfile],
      [{ agent: { [field]: inAgent } }, inAgent],
      [{ choice: { overrides: { [field]: inChoice } } }, inChoice],
    ] as [Layers, unknown][],
  })),
  {
    field: 'extraBody',
    byDefault: undefined,
    layers: [
      [{ profile: { extraBody: { min_p: 1, seed: 1 } } }, { min_p: 1, seed: 1 }],
      [{ agent: { extraBody: { seed: 2 } } }, { min_p: 1, seed: 2 }],
      [{ choice: { overrides: { extraBody: { grammar: 'root' } } } }, { min_p: 1, seed: 2, grammar: 'root' }],
    ],
  },
  {
    field: 'contextWindow',
    byDefault: null,
    layers: [[{ settings: { contextWindow: 8192 } }, 8192]],
  },
  {
    field: 'modelOptions',
    byDefault: {},
    layers: [[{ settings: { modelOptions: { m: { toolCalls: 'text' } } } }, { m: { toolCalls: 'text' } }]],
  },
  {
    field: 'maxToolIterations',
    byDefault: 50,
    layers: [
      [{ settings: { maxToolIterations: 20 } }, 20],
      [{ agent: { maxToolIterations: 7 } }, 7],
    ],
  },
  { field: 'checks', byDefault: 'off', layers: [[{ settings: { checks: 'problems' } }, 'problems']] },
  {
    field: 'permissionMode',
    byDefault: 'ask',
    layers: [
      [{ settings: { permissionMode: 'acceptEdits' } }, 'acceptEdits'],
      [{ agent: { permissionMode: 'plan' } }, 'plan'],
      [{ choice: { permissionMode: 'ask' } }, 'ask'],
    ],
  },
  { field: 'includeTools', byDefault: undefined, layers: [[{ agent: { includeTools: ['a'] } }, ['a']]] },
  { field: 'excludeTools', byDefault: undefined, layers: [[{ agent: { excludeTools: ['b'] } }, ['b']]] },
  { field: 'allowedServers', byDefault: undefined, layers: [[{ agent: { allowedServers: ['s'] } }, ['s']]] },
  { field: 'maxTurns', byDefault: undefined, layers: [[{ agent: { maxTurns: 3 } }, 3]] },
  { field: 'includeHistory', byDefault: undefined, layers: [[{ agent: { includeHistory: false } }, false]] },
  { field: 'profileId', byDefault: undefined, layers: [[{ profile: {} }, 'p']] },
  { field: 'agentId', byDefault: undefined, layers: [[{ agent: {} }, 'a']] },
];

function merged(layers: readonly Layers[]): Layers {
  return layers.reduce((below, above) => ({ ...below, ...above }), {});
}

describe('chooseAgent', () => {
  for (const { field, byDefault, layers } of fields) {
    it(`takes ${field} from the strongest that says it, and a default from nobody`, () => {
      assert.deepEqual(configurationOf({})[field], byDefault);
      for (const [index, [, expected]] of layers.entries()) {
        const said = merged(layers.slice(0, index + 1).map(([layer]) => layer));
        assert.deepEqual(configurationOf(said)[field], expected, JSON.stringify(said));
      }
    });
  }

  it('knows every field', () => {
    const all = merged(fields.flatMap(({ layers }) => layers.map(([layer]) => layer)));
    const everything: Layers = {
      settings: { baseUrl: 'http://s' },
      profile: { topP: 1, topK: 1, reasoningEffort: 'low', thinking: true, extraBody: {} },
      agent: { includeTools: [], excludeTools: [], allowedServers: [], maxTurns: 1, includeHistory: true },
      choice: all.choice ?? {},
    };
    const known = new Set<string>(fields.map(({ field }) => field));
    assert.deepEqual(
      Object.keys(configurationOf(everything)).filter((field) => !known.has(field)),
      [],
    );
  });

  it('takes null of a stronger one as: do not send it', () => {
    const layers = { settings: { temperature: 0.5 }, profile: { topK: 20 }, agent: { temperature: null, topK: null } };
    const { temperature, topK } = configurationOf(layers);
    assert.deepEqual([temperature, topK], [null, null]);
  });

  const profiles = [
    { id: 'one', baseUrl: 'http://one', model: '1' },
    { id: 'two', baseUrl: 'http://two', model: '2' },
  ];
  const agents = [{ id: 'a', profile: 'two' }, { id: 'b' }];
  const settings: AgentSettings = { ...defaultAgentSettings, baseUrl: 'http://settings', profiles, agents };
  const used: readonly [string, Partial<AgentSettings>, AgentChoice, string][] = [
    ['none without a choice', {}, {}, 'http://settings'],
    ['the default', { profile: 'one' }, {}, 'http://one'],
    ["the agent's before the default", { profile: 'one', agent: 'a' }, {}, 'http://two'],
    ['the default with an agent that names none', { profile: 'one', agent: 'b' }, {}, 'http://one'],
    ["the chosen one before the agent's", { agent: 'a' }, { profile: 'one' }, 'http://one'],
    ['none when none was chosen', { profile: 'one', agent: 'a' }, { profile: '' }, 'http://settings'],
    ['the default when no agent was chosen', { profile: 'one', agent: 'a' }, { agent: '' }, 'http://one'],
  ];
  for (const [name, given, choice, baseUrl] of used) {
    it(`uses the profile: ${name}`, () => {
      assert.equal(chooseAgent({ ...settings, ...given }, choice).configuration.baseUrl, baseUrl);
    });
  }

  it('goes on with the settings when a profile or agent is gone, and says so', () => {
    const { configuration, problems } = chooseAgent(settings, { profile: 'gone', agent: 'left' });
    assert.deepEqual(
      [configuration.baseUrl, configuration.profileId, configuration.agentId],
      ['http://settings', undefined, undefined],
    );
    assert.deepEqual(problems, [
      'The agent "left" is not in the settings, or not usable. Working without it.',
      'The profile "gone" is not in the settings, or not usable. Using the settings: http://settings.',
    ]);
  });
});
