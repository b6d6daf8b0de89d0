import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findImports } from '../../../src/agent/importSettings/findImports';
import { mayTakeRules } from '../../../src/agent/importSettings/rulesFile';
import { judgedText, kindText, placeText } from '../../../src/agent/importSettings/importText';
import { projectRoot } from '../../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const fixture = (file: string): string =>
  readFileSync(path.join(projectRoot, 'test/fixtures/importSettings', file), 'utf8');

describe('looking for settings of other programs', () => {
  let home: TemporaryFolder;
  let work: TemporaryFolder;

  afterEach(async () => {
    await home.dispose();
    await work.dispose();
  });

  async function found(files: Record<string, string>, project: Record<string, string> = {}, prepare?: () => void) {
    home = await createTemporaryFolder(files);
    work = await createTemporaryFolder({ 'a.txt': 'a', ...project });
    prepare?.();
    const machine = {
      ...{ platform: 'linux', env: { XDG_CONFIG_HOME: '' }, home: home.path },
      ...{ userFolder: path.join(home.path, 'data/User'), workspaceFolders: [work.path] },
    };
    return findImports(machine, [
      { from: 'Ollama', name: 'qwen3:8b', file: '/models/sha256-1' },
      { from: 'LM Studio', name: 'gemma', file: '/models/gemma.gguf' },
    ]);
  }
  const ofDisk = ['Model qwen3:8b (Ollama) of Ollama', 'Model gemma of LM Studio'];

  it('finds every place that the programs document', async () => {
    const modes = fixture('roo/roomodes.json');
    const mcp = JSON.stringify({ mcpServers: { one: { command: 'one' } } });
    const items = await found(
      {
        '.continue/config.yaml': fixture('continue/local.yaml'),
        '.continue/rules/db.md': fixture('continue/rule.md'),
        '.continue/mcpServers/copied.json': mcp,
        '.cline/data/globalState.json': fixture('cline/compatible.json'),
        '.cline/data/secrets.json': fixture('cline/secrets.json'),
        'Documents/Cline/Rules/mine.md': 'Be brief.',
        '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json': mcp,
        '.config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml': modes,
        'data/User/globalStorage/zoocodeorganization.zoo-code/settings/mcp_settings.json': mcp,
        'data/User/mcp.json': fixture('vscode/inputs.json'),
        'Downloads/roo-code-settings.json': fixture('roo/settings.json'),
      },
      {
        '.clinerules/a.md': 'A.',
        '.clinerules/workflows/not-a-rule.md': 'No rule.',
        '.roomodes': fixture('roo/roomodes.yaml'),
        '.roo/mcp.json': mcp,
        '.roo/rules/b.md': 'B.',
        '.continue/rules/c.md': 'C.',
        '.vscode/mcp.json': fixture('vscode/workspace.json'),
      },
    );
    assert.deepEqual(
      items.map((item) => `${kindText(item)} ${item.name} of ${item.place.from}`),
      [
        'MCP server one of Continue',
        'Rules Database access of Continue',
        ...['Model Qwen3 Coder 30B', 'Model Qwen2.5 Coder 1.5B', 'Model Nomic Embed'].map(
          (one) => `${one} of Continue`,
        ),
        ...['Model devstral-small', 'Model claude-sonnet-4', 'Rules mine'].map((one) => `${one} of Cline`),
        ...['Model local', 'Model work', 'Model cloud', 'Mode Planner', 'Rules Custom instructions'].map(
          (one) => `${one} of Roo Code`,
        ),
        'MCP server one of Zoo Code',
        'MCP server azure devops! of VS Code',
        'MCP server notes of VS Code',
        'MCP server one of Cline',
        'Mode 🧪 Tester of Roo Code',
        'Mode Broken of Roo Code',
        'Rules c of Continue',
        'Rules a of Cline',
        'Mode 📝 Documentation Writer of Roo Code',
        'Mode Reviewer of Roo Code',
        'MCP server one of Roo Code',
        'Rules b of Roo Code',
        ...['playwright', 'db', 'with env file'].map((one) => `MCP server ${one} of VS Code`),
        ...ofDisk,
      ],
    );
    const own = items.find(({ name }) => name === 'Database access')!;
    assert.equal(placeText(own.place), 'Continue, ~/.continue/rules/db.md');
    assert.equal(placeText(items.find(({ name }) => name === 'a')!.place), 'Cline, .clinerules/a.md');
  });

  it('names files that are damaged, too large or lead out of the workspace, and goes on', async () => {
    const items = await found(
      {
        '.continue/config.yaml': fixture('continue/damaged.yaml'),
        'data/User/mcp.json': fixture('vscode/empty.json'),
        '.config/Code/User/mcp.json': ' '.repeat(300_000),
        'secret.txt': 'a private key',
      },
      {},
      () => {
        symlinkSync(path.join(home.path, 'secret.txt'), path.join(work.path, '.clinerules'));
        mkdirSync(path.join(work.path, '.roomodes'));
      },
    );
    assert.deepEqual(
      items.slice(0, -2).map((item) => `${item.name}: ${judgedText({ item, state: 'refused' })}`),
      [
        'config.yaml: It cannot be read: it is not YAML: unexpected end of the stream within a flow collection in line 4.',
        'mcp.json: It cannot be read: it is not JSON.',
        'mcp.json: It cannot be read: it is too large.',
        '.clinerules: It cannot be read: it is a link that leads out of the workspace.',
      ],
    );
    assert.equal(JSON.stringify(items).includes('private key'), false);
  });

  it('opens no link of the workspace to secrets, and no pipe', async function () {
    if (process.platform === 'win32') this.skip();
    const items = await found({}, { '.env': 'TOKEN=a private key' }, () => {
      symlinkSync('.env', path.join(work.path, '.clinerules'));
      execFileSync('mkfifo', [path.join(work.path, '.roorules')]);
    });
    assert.deepEqual(
      items.slice(0, -2).map((item) => `${item.name}: ${judgedText({ item, state: 'refused' })}`),
      ['.clinerules: It cannot be read: it is a link to a file that may hold secrets.'],
    );
    assert.equal(JSON.stringify(items).includes('private key'), false);
  });

  it('proposes rules for AGENTS.md only where it leads to no other place', async () => {
    await found({ '.bashrc': '' }, { 'plain/AGENTS.md': '' });
    const linkTo = (folder: string, target: string): string => {
      mkdirSync(path.join(work.path, folder), { recursive: true });
      symlinkSync(target, path.join(work.path, folder, 'AGENTS.md'));
      return path.join(work.path, folder, 'AGENTS.md');
    };
    mkdirSync(path.join(work.path, 'own'));
    writeFileSync(path.join(work.path, 'own/CLAUDE.md'), 'Be brief.');
    assert.equal(await mayTakeRules(path.join(work.path, 'none/AGENTS.md')), false);
    assert.equal(await mayTakeRules(path.join(work.path, 'AGENTS.md')), true);
    assert.equal(await mayTakeRules(path.join(work.path, 'plain/AGENTS.md')), true);
    assert.equal(await mayTakeRules(linkTo('own', 'CLAUDE.md')), true);
    assert.equal(await mayTakeRules(linkTo('outside', path.join(home.path, '.bashrc'))), false);
    assert.equal(await mayTakeRules(linkTo('missing', path.join(home.path, '.zshrc'))), false);
    mkdirSync(path.join(work.path, 'profile'));
    writeFileSync(path.join(work.path, 'profile/.envrc'), '');
    assert.equal(await mayTakeRules(linkTo('profile', '.envrc')), false);
  });
});
