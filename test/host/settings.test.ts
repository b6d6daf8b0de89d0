import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import packageJson from '../../package.json';

describe('Settings', () => {
  const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('openAgent');
  const { properties } = packageJson.contributes.configuration;

  it('have the defaults that package.json gives', () => {
    for (const [name, { default: value }] of Object.entries(properties)) {
      assert.deepEqual(configuration().inspect(name.replace('openAgent.', ''))?.defaultValue, value, name);
    }
  });

  for (const [name, { scope }] of Object.entries(properties)) {
    const setting = name.replace('openAgent.', '');
    const value =
      setting === 'log.contents'
        ? true
        : /baseUrl|certificateAuthority|model|systemPrompt|profile|agent/.test(setting)
          ? 'x'
          : 1;
    if (scope === 'application') {
      it(`${name} cannot be set by a workspace`, async () => {
        await assert.rejects(
          Promise.resolve(configuration().update(setting, value, vscode.ConfigurationTarget.Workspace)),
        );
      });
    } else {
      it(`${name} can be set for a workspace`, async () => {
        await configuration().update(setting, value, vscode.ConfigurationTarget.Workspace);
        assert.equal(configuration().get(setting), value);
        await configuration().update(setting, undefined, vscode.ConfigurationTarget.Workspace);
        assert.equal(configuration().inspect(setting)?.workspaceValue, undefined);
      });
    }
  }
});
