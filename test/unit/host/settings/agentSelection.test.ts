import assert from 'node:assert/strict';
import { defaultAgentSettings, type AgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { AgentSelection } from '../../../../src/host/settings/agentSelection';
import { MemoryOfWorkspace } from '../../../support/sessions/memoryOfWorkspace';

describe('AgentSelection', () => {
  let memory: MemoryOfWorkspace;
  let settings: AgentSettings;
  let did: string[];
  let selection: AgentSelection;

  beforeEach(() => {
    memory = new MemoryOfWorkspace();
    did = [];
    settings = {
      ...defaultAgentSettings,
      profiles: [
        { id: 'one', baseUrl: 'http://one', model: '1' },
        { id: 'two', baseUrl: 'http://two', model: '2' },
      ],
      agents: [{ id: 'reader', profile: 'two', permissionMode: 'plan' }, { id: 'plain' }],
    };
    selection = open();
  });

  function open(): AgentSelection {
    const opened = new AgentSelection({
      memory,
      settings: () => settings,
      forgetModel: async () => void did.push('forget model'),
      onInternalError: (error) => assert.fail(String(error)),
    });
    opened.onChange(() => void did.push('changed'));
    return opened;
  }

  const inUse = (): unknown => {
    const { profileId, agentId, permissionMode } = selection.current.configuration;
    return [profileId, agentId, permissionMode];
  };

  it('keeps the newest choice of each kind for the next window', async () => {
    await selection.chooseProfile('one');
    await selection.chooseMode('acceptEdits');
    assert.deepEqual(inUse(), ['one', undefined, 'acceptEdits']);
    await selection.chooseAgent('reader');
    assert.deepEqual(inUse(), ['two', 'reader', 'plan']);
    await selection.chooseMode('ask');
    await selection.chooseProfile('');
    selection = open();
    assert.deepEqual(inUse(), [undefined, 'reader', 'ask']);
  });

  it('keeps profile and mode with an agent that has neither', async () => {
    await selection.chooseProfile('one');
    await selection.chooseMode('plan');
    await selection.chooseAgent('plain');
    assert.deepEqual(inUse(), ['one', 'plain', 'plan']);
  });

  it('forgets the chosen model when the new choice names one, and tells of each change', async () => {
    await selection.chooseProfile('one');
    await selection.chooseAgent('plain');
    await selection.chooseMode('plan');
    assert.deepEqual(did, ['forget model', 'changed', 'changed', 'changed']);
  });

  it('uses a profile again that was missing for a while', async () => {
    await selection.chooseProfile('one');
    const all = settings;
    settings = { ...settings, profiles: [] };
    assert.deepEqual([inUse(), selection.current.problems.length], [[undefined, undefined, 'ask'], 1]);
    settings = all;
    assert.deepEqual([inUse(), selection.current.problems.length], [['one', undefined, 'ask'], 0]);
  });

  it('offers the sandbox once it was tried and works, and keeps the choice of it for the next window', async () => {
    const selection = open();
    assert.deepEqual(selection.modes, ['plan', 'ask', 'acceptEdits']);
    await selection.chooseMode('sandbox');
    assert.equal(selection.current.configuration.permissionMode, 'ask');
    selection.offerSandbox(true);
    assert.equal(selection.modes.at(-1), 'sandbox');
    await selection.chooseMode('sandbox');
    assert.equal(selection.current.configuration.permissionMode, 'sandbox');
    const next = open();
    assert.equal(next.current.configuration.permissionMode, 'ask');
    next.offerSandbox(true);
    assert.equal(next.current.configuration.permissionMode, 'sandbox');
    next.offerSandbox(false);
    assert.equal(next.current.configuration.permissionMode, 'ask');
  });

  it('ignores an unreadable memory', async () => {
    await memory.update('openAgent.agentChoice', { permissionMode: 'yolo', profile: 'one' });
    assert.deepEqual(inUse(), [undefined, undefined, 'ask']);
  });
});
