import assert from 'node:assert/strict';
import { parseAgents, parseProfiles } from '../../../../src/agent/configuration/agentDefinition';

const profile = { id: 'gpu', baseUrl: 'http://gpu', model: 'm' };

describe('profiles in settings', () => {
  it('names what is wrong with one, every field of it, and keeps the others', () => {
    const { profiles, problems } = parseProfiles([
      profile,
      { id: 'bad', baseUrl: 'ftp://x', topP: 7, temprature: 1 },
      { ...profile, model: 'again' },
      'text',
    ]);
    assert.deepEqual(profiles, [profile]);
    assert.deepEqual(problems, [
      'Profile "bad": baseUrl: The model server\'s URL must begin with http:// or https://, not ftp:// ("ftp://x"); ' +
        'model: expected string, received undefined; topP: Too big: expected number to be <=1; unknown field temprature.',
      'profiles: two are called "gpu".',
      'Profile: expected object, received string.',
    ]);
  });

  it('are none where there is nothing, and a problem where there is no list', () => {
    assert.deepEqual(parseProfiles(undefined), { profiles: [], problems: [] });
    assert.deepEqual(parseProfiles({ gpu: profile }), { profiles: [], problems: ['profiles must be a list.'] });
  });
});

describe('agents in settings', () => {
  it('take everything an agent can say', () => {
    const agent = {
      id: 'reviewer',
      description: 'Looks for mistakes',
      prompt: 'Review.',
      profile: 'gpu',
      model: 'other',
      includeTools: ['read_file'],
      excludeTools: ['write_file'],
      allowedServers: ['docs'],
      maxToolIterations: 10,
      maxTurns: 3,
      permissionMode: 'plan',
      includeHistory: false,
      temperature: null,
      topP: 1,
      topK: 0,
      maxTokens: 100,
      reasoningEffort: 'low',
      thinking: false,
      extraBody: { seed: 1 },
    };
    assert.deepEqual(parseAgents([agent], [profile]), { agents: [agent], problems: [] });
  });

  it('name what is wrong with one, and leave out one whose profile is not there', () => {
    const { agents, problems } = parseAgents(
      [{ id: 'a' }, { id: 'b', permissionMode: 'yolo', maxTurns: 0 }, { id: 'c', profile: 'gone' }, { id: 'a' }],
      [profile],
    );
    assert.deepEqual(agents, [{ id: 'a' }]);
    assert.deepEqual(problems, [
      'Agent "b": maxTurns: Too small: expected number to be >=1; ' +
        'permissionMode: Invalid option: expected one of "plan"|"ask"|"acceptEdits".',
      'Agent "c": profile: there is no usable profile "gone".',
      'agents: two are called "a".',
    ]);
  });
});
