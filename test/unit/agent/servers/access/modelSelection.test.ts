import assert from 'node:assert/strict';
import { ModelSelection } from '../../../../../src/agent/servers/access/modelSelection';
import { MemoryOfWorkspace } from '../../../../support/sessions/memoryOfWorkspace';

describe('ModelSelection', () => {
  it('uses the setting until the person chooses, and again after the setting changes', async () => {
    const selection = new ModelSelection({ memory: new MemoryOfWorkspace(), setting: () => 'set' });
    assert.equal(selection.wantedAt('http://localhost:8080/v1'), 'set');
    await selection.choose('http://localhost:8080', 'chosen');
    assert.equal(selection.wantedAt('http://localhost:8080/v1'), 'chosen');
    assert.equal(selection.wantedAt('http://localhost:1234/v1'), 'set');
    await selection.forget();
    assert.equal(selection.wantedAt('http://localhost:8080/v1'), 'set');
  });

  it('uses the setting when the remembered choice is invalid', async () => {
    const memory = new MemoryOfWorkspace();
    const selection = new ModelSelection({ memory, setting: () => 'set' });
    await memory.update('openAgent.modelChoice', { origin: 1 });
    assert.equal(selection.wantedAt('http://localhost:8080'), 'set');
    assert.equal(selection.wantedAt('::not a url::'), 'set');
  });
});
