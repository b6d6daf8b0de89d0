import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import packageJson from '../../package.json';
import { agentCommands, windowCommands } from '../../src/host/commands/commandTable';
import { declaredSettings as settings, settingGroups } from '../support/declaredSettings';

const root = path.join(__dirname, '..', '..');
const { contributes } = packageJson;
const source = sourceOf(path.join(root, 'src', 'host')) + readFileSync(path.join(root, 'src', 'extension.ts'), 'utf8');

function sourceOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort();
}

describe('package.json', () => {
  it('uses no proposed API', () => {
    assert.equal('enabledApiProposals' in packageJson, false);
    const proposed = /^(scm\/inputBox|diffEditor\/gutter|multiDiffEditor|editor\/content|viewContainer\/title)/;
    assert.deepEqual(
      Object.keys(contributes.menus).filter((menu) => proposed.test(menu)),
      [],
    );
  });

  it('declares the commands that are registered, and no others', () => {
    const registered = [...windowCommands, ...agentCommands].map((name) => `openAgent.${name}`);
    assert.deepEqual(sorted(contributes.commands.map(({ command }) => command)), sorted(registered));
  });

  it('shows the settings under headings, in a fixed order, each once', () => {
    const places = settingGroups.map(({ order, properties }) => [
      order,
      Object.values(properties).map((setting) => setting.order),
    ]);
    const expected = settingGroups.map(({ properties }, group) => [
      group + 1,
      Object.keys(properties).map((_, at) => at + 1),
    ]);
    assert.deepEqual(places, expected);
    const names = settingGroups.flatMap(({ properties }) => Object.keys(properties));
    assert.equal(new Set(names).size, names.length);
  });

  it('declares the settings that are read, and no others', () => {
    const read = [...source.matchAll(/(?:configuration|getConfiguration\('openAgent'\))\.get\('([\w.]+)'\)/g)];
    assert.deepEqual(sorted(Object.keys(settings)), sorted(read.map((match) => `openAgent.${match[1]}`)));
  });

  it('gives every setting a type, a scope and a description', () => {
    for (const [name, setting] of Object.entries(settings)) {
      assert.ok(setting.type && setting.scope && setting.markdownDescription, name);
    }
  });

  it('keeps workspaces away from what could redirect code or widen rights', () => {
    for (const name of [
      'baseUrl',
      'certificateAuthority',
      'model',
      'systemPrompt',
      'log.contents',
      'profiles',
      'profile',
      'agents',
      'agent',
      'mcpServers',
      'permissionMode',
      'rules.allow',
      'rules.ask',
      'rules.deny',
      'commandMode',
      'confineCommands',
      'commandEnvironment',
      'endpoint.port',
      'endpoint.maxRuns',
      'endpoint.maxRunTokens',
      'endpoint.maxResponseTokens',
      'endpoint.questionMinutes',
      'endpoint.allowedOrigins',
    ]) {
      assert.equal(settings[`openAgent.${name}`]?.scope, 'application', name);
    }
  });

  it('ignores every setting of an untrusted workspace', () => {
    const { supported, restrictedConfigurations } = packageJson.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual(sorted(restrictedConfigurations), sorted(Object.keys(settings)));
  });

  it('names in menus and key bindings only what it declares', () => {
    const commands = new Set(contributes.commands.map(({ command }) => command));
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    const items = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    for (const item of items) {
      if ('command' in item) assert.ok(commands.has(item.command), item.command);
      else assert.ok(submenus.has(item.submenu), item.submenu);
    }
  });

  it('binds keys only where they mean something', () => {
    for (const binding of contributes.keybindings) {
      if (binding.command !== 'openAgent.focusChat') assert.ok('when' in binding, binding.command);
    }
  });

  it('uses the scheme and the view that the source does in its conditions', () => {
    assert.match(source, /proposalScheme = 'open-agent-proposal'/);
    assert.match(source, /viewId = 'openAgent\.chat'/);
    assert.equal(contributes.views.openAgent[0]?.id, 'openAgent.chat');
    // The view can be moved there. Without a view, a container is hidden.
    assert.deepEqual(
      contributes.viewsContainers.secondarySidebar.map(({ id }) => id),
      ['openAgentSecondary'],
    );
    const conditions = JSON.stringify([contributes.menus, contributes.keybindings]);
    assert.deepEqual(
      sorted([...conditions.matchAll(/resourceScheme [!=]= ([\w-]+)/g)].map((match) => match[1] ?? '')),
      ['open-agent-original', 'open-agent-proposal'],
    );
  });

  it('runs where the files are', () => {
    assert.deepEqual(packageJson.extensionKind, ['workspace']);
    assert.equal(packageJson.capabilities.virtualWorkspaces.supported, 'limited');
  });
});
