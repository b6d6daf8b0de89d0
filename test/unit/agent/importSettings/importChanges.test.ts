import assert from 'node:assert/strict';
import { parseAgents, parseProfiles } from '../../../../src/agent/configuration/agentDefinition';
import { importChanges, judgeItems, keysOf } from '../../../../src/agent/importSettings/importChanges';
import type { ImportItem, ImportPlace } from '../../../../src/agent/importSettings/importItem';
import { importReport } from '../../../../src/agent/importSettings/importText';
import { mcpItem } from '../../../../src/agent/importSettings/mcpItem';
import { modeItems } from '../../../../src/agent/importSettings/modeItems';
import { modelItem } from '../../../../src/agent/importSettings/modelItem';
import { ruleItem } from '../../../../src/agent/importSettings/ruleItem';
import { parseMcpServers } from '../../../../src/mcp/serverConfig';

const own: ImportPlace = { from: 'Continue', file: '/home/ada/.continue/config.yaml', home: '/home/ada' };
const ofWorkspace: ImportPlace = { ...own, from: 'Cline', file: '/work/.clinerules', folder: '/work' };
const nothing = {
  ...{
    profiles: undefined,
    modelOptions: undefined,
    mcpServers: undefined,
    agents: undefined,
    systemPrompt: undefined,
  },
  projectRules: new Map<string, string>(),
};

const model = modelItem(
  {
    ...{ name: 'Qwen', provider: 'vllm', model: 'qwen3', baseUrl: 'https://gpu.example' },
    key: 'k-1',
    contextWindow: 4096,
  },
  own,
);
const server = mcpItem('github', { command: 'gh-mcp', env: { GITHUB_TOKEN: 'ghp_secret', LOG: 'debug' } }, own);
const mode = modeItems([{ slug: 'docs', roleDefinition: 'You write.', groups: ['read'] }], own)[0]!;
const rules = ruleItem('Style', 'Use tabs.', own)!;
const projectRules = ruleItem('.clinerules', 'Ask first.', ofWorkspace)!;
const all: readonly ImportItem[] = [model, server, mode, rules, projectRules];

describe('importing settings', () => {
  it('writes what the settings understand, and copies no key unasked', () => {
    const changes = importChanges(all, new Set(), nothing);
    assert.deepEqual(changes, {
      settings: {
        profiles: [{ id: 'Qwen', baseUrl: 'https://gpu.example', model: 'qwen3' }],
        modelOptions: { qwen3: { contextWindow: 4096 } },
        mcpServers: { github: { command: 'gh-mcp', env: { LOG: 'debug' } } },
        agents: [
          {
            ...{ id: 'docs', prompt: 'You write.', allowedServers: [], permissionMode: 'plan' },
            excludeTools: ['apply_edit', 'write_file', 'run_terminal_command'],
          },
        ],
        systemPrompt: 'Use tabs.',
      },
      apiKeys: [],
      projectRules: [{ folder: '/work', text: '## .clinerules\n\nAsk first.' }],
    });
    const { profiles, problems } = parseProfiles(changes.settings['profiles']);
    assert.deepEqual(problems, []);
    assert.deepEqual(parseAgents(changes.settings['agents'], profiles).problems, []);
    assert.deepEqual(parseMcpServers(changes.settings['mcpServers']).problems, []);
  });

  it('copies the chosen keys: of a model to the store of secrets, of a server to the settings', () => {
    const [apiKey, token] = keysOf(all);
    assert.deepEqual(
      [apiKey?.label, token?.label],
      ['API key for https://gpu.example', 'GITHUB_TOKEN of the MCP server github'],
    );
    const changes = importChanges(all, new Set([apiKey!, token!]), nothing);
    assert.deepEqual(changes.apiKeys, [{ baseUrl: 'https://gpu.example', value: 'k-1' }]);
    assert.deepEqual(changes.settings['mcpServers'], {
      github: { command: 'gh-mcp', env: { LOG: 'debug', GITHUB_TOKEN: 'ghp_secret' } },
    });
    assert.equal(JSON.stringify(changes.settings['profiles']).includes('k-1'), false);
  });

  it('replaces nothing that is there', () => {
    const target = {
      ...nothing,
      profiles: [{ id: 'Qwen', baseUrl: 'http://127.0.0.1:1', model: 'other' }, 'damaged'],
      modelOptions: { qwen3: { contextWindow: 8192, toolCalls: 'text' } },
      mcpServers: { github: { url: 'https://one.example' }, 'github-2': { command: 'two' } },
      agents: [{ id: 'docs', prompt: 'Another.' }],
      systemPrompt: 'Mine.',
    };
    const { settings } = importChanges(all, new Set(), target);
    assert.deepEqual(settings, {
      profiles: [...target.profiles, { id: 'Qwen 2', baseUrl: 'https://gpu.example', model: 'qwen3' }],
      mcpServers: { ...target.mcpServers, 'github-3': { command: 'gh-mcp', env: { LOG: 'debug' } } },
      agents: [
        ...target.agents,
        {
          ...{ id: 'docs-2', prompt: 'You write.', allowedServers: [], permissionMode: 'plan' },
          excludeTools: ['apply_edit', 'write_file', 'run_terminal_command'],
        },
      ],
      systemPrompt: 'Mine.\n\nUse tabs.',
    });
  });

  it('knows what is there already, also what it imported before, and shows equal items once', () => {
    const states = (target: typeof nothing, items = all) => judgeItems(items, target).map(({ state }) => state);
    assert.deepEqual(states(nothing), ['new', 'new', 'new', 'new', 'new']);
    const { settings, projectRules: files } = importChanges(all, new Set(keysOf(all)), nothing);
    const after = { ...nothing, ...settings, projectRules: new Map(files.map(({ folder, text }) => [folder, text])) };
    assert.deepEqual(states(after), ['present', 'present', 'present', 'present', 'present']);
    assert.deepEqual(states(nothing, [server, { ...server, place: { ...own, from: 'Cline' } }]), ['new', 'present']);
    const local = (baseUrl: string) => modelItem({ provider: 'ollama', model: 'm', baseUrl }, own);
    assert.deepEqual(states(nothing, [local('http://localhost:11434'), local('http://127.0.0.1:11434/v1/')]), [
      'new',
      'present',
    ]);
  });

  it('takes no server from a file of a workspace, which could send the code elsewhere', () => {
    const item = modelItem({ provider: 'openai', model: 'm', baseUrl: 'https://evil.example' }, ofWorkspace);
    assert.deepEqual(item.becomes, {
      kind: 'nothing',
      why: 'a file of a workspace cannot name a model server. Add a profile by hand.',
    });
  });

  it('refuses keys where they cannot be left out, and addresses with a password', () => {
    const why = (item: ImportItem) => (item.becomes.kind === 'nothing' ? item.becomes.why : 'taken');
    const mcp = (written: unknown) => why(mcpItem('x', written, own));
    assert.match(mcp({ command: 'x', args: ['--token', 'abc'] }), /a key is part/);
    assert.match(mcp({ url: 'https://x.example/mcp?api_key=abcdef' }), /a key is part/);
    assert.match(mcp({ url: 'https://ada:pw@x.example/mcp' }), /a key is part/);
    assert.match(mcp({ command: 'x', cwd: 'relative' }), /absolute/);
    assert.match(mcp({ url: 'file:///etc/passwd' }), /url/i);
    assert.match(
      why(modelItem({ provider: 'openai', model: 'm', baseUrl: 'https://a:b@x.example' }, own)),
      /user name or password/,
    );
    assert.equal(mcp({ command: 'x', args: ['--api-key-file', '--verbose'] }), 'taken');
  });

  it('reports everything, with foreign words that mean nothing in Markdown', () => {
    const evil = ruleItem('`[x](command:evil)`', '```\n# title', own)!;
    const report = importReport(judgeItems([model, evil], nothing), new Set([model]));
    assert.equal(
      report,
      [
        '# Import Settings',
        '',
        '- Model ` Qwen ` (` Continue, ~/.continue/config.yaml `): Taken. ` Becomes a profile: qwen3 at https://gpu.example, 4096 tokens of context. `',
        '- Rules `` `[x](command:evil)` `` (` Continue, ~/.continue/config.yaml `): Not chosen. ```` Goes to the end of your system prompt, in every workspace: ``` # title ````',
        '',
      ].join('\n'),
    );
    assert.equal(report.includes('k-1'), false);
  });
});
