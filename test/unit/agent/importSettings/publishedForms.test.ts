import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readClineProviders, readClineState } from '../../../../src/agent/importSettings/clineState';
import { readContinueJson, readContinueYaml } from '../../../../src/agent/importSettings/continueConfig';
import { judgeItems, keysOf } from '../../../../src/agent/importSettings/importChanges';
import type { ImportItem, ImportPlace } from '../../../../src/agent/importSettings/importItem';
import { judgedText, kindText } from '../../../../src/agent/importSettings/importText';
import { readMcpSettings, readPortableMcp, readVsCodeMcp } from '../../../../src/agent/importSettings/mcpFile';
import { readModeFile } from '../../../../src/agent/importSettings/modeItems';
import { readRooExport } from '../../../../src/agent/importSettings/rooSettings';
import { readModeRules, readRuleFile } from '../../../../src/agent/importSettings/ruleItem';
import { projectRoot } from '../../../../scripts/projectRoot';

const folder = path.join(projectRoot, 'test/fixtures/importSettings');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const emptyTarget = {
  ...{ profiles: undefined, modelOptions: undefined, mcpServers: undefined, agents: undefined, systemPrompt: '' },
  projectRules: new Map(),
};

/** What the person reads of each item, and the names of its keys. */
function described(items: readonly ImportItem[]): readonly string[] {
  return judgeItems(items, emptyTarget).map((judged) => {
    const keys = keysOf([judged.item]).map(({ label }) => ` [${label}]`);
    return `${kindText(judged.item)} ${judged.item.name}: ${judgedText(judged)}${keys.join('')}`;
  });
}

function place(file: string, folderOfWorkspace?: string): ImportPlace {
  return { from: 'Test', file: path.join('/home/ada', file), folder: folderOfWorkspace, home: '/home/ada' };
}

describe('settings of other programs, in their published forms', () => {
  const cases: Readonly<Record<string, { read: () => readonly ImportItem[]; expected: readonly string[] }>> = {
    'continue/local.yaml': {
      read: () => readContinueYaml(textOf('continue/local.yaml'), place('continue/local.yaml')),
      expected: [
        'Model Qwen3 Coder 30B: Becomes a profile: qwen3-coder:30b at http://127.0.0.1:11434, 32768 tokens of context.',
        'Model Qwen2.5 Coder 1.5B: Not taken: it is for autocomplete, not for chat.',
        'Model Nomic Embed: Not taken: it is for embed, not for chat.',
      ],
    },
    'continue/team.yaml': {
      read: () => readContinueYaml(textOf('continue/team.yaml'), place('continue/team.yaml')),
      expected: [
        'Model DeepSeek: Becomes a profile: deepseek-v3 at https://llm.example.com/v1. [API key for https://llm.example.com]',
        'Model GLM: Becomes a profile: glm-4.6 at https://llm.example.com/v1. Its key is the variable ${{ secrets.TEAM_KEY }}: set it with Set API Key…',
        'Model anthropic/claude-sonnet: Not taken: it is kept on the hub of Continue.',
        'Model Claude: Not taken: "anthropic" is a hosted service or has an API of its own. With OpenAI\'s API, add it as a profile by hand.',
        'Rules Rule 1: Goes to the end of your system prompt, in every workspace: Answer in British English.',
        'Rules Tests: Goes to the end of your system prompt, in every workspace: For files that match **/*.test.ts, **/*.spec.ts: Use node:assert/strict. Compare whole values. Sent always; there only for **/*.test.ts, **/*.spec.ts.',
        'Rules myorg/typescript-rules: Not taken: they are kept on the hub of Continue.',
      ],
    },
    'continue/mcp.yaml': {
      read: () => readContinueYaml(textOf('continue/mcp.yaml'), place('continue/mcp.yaml')),
      expected: [
        'MCP server SQLite: Becomes the MCP server SQLite: npx -y mcp-sqlite /home/ada/data.db. Open Agent asks before it first uses it.',
        'MCP server GitHub: Becomes the MCP server GitHub: docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server. Open Agent asks before it first uses it. Without GITHUB_PERSONAL_ACCESS_TOKEN, which is ${{ secrets.GITHUB_TOKEN }} there: add it by hand.',
        'MCP server Docs: Becomes the MCP server Docs: https://mcp.example.com/docs. Open Agent asks before it first uses it. [Authorization of the MCP server Docs]',
        'MCP server Old: Becomes the MCP server Old: http://10.0.0.7:9000/sse. Open Agent asks before it first uses it.',
      ],
    },
    'continue/older.json': {
      read: () => readContinueJson(textOf('continue/older.json'), place('continue/older.json')),
      expected: [
        'Model LM Studio: Becomes a profile: qwen2.5-7b-instruct at http://127.0.0.1:1234, 16384 tokens of context.',
        'Model Llama.cpp: Not taken: no model is named. Set openAgent.baseUrl to http://localhost:8081 to use the model that the server has loaded.',
        'Model GPT-4: Not taken: it is the hosted service of OpenAI. Open Agent uses the servers that you name.',
        'MCP server continue-1: Becomes the MCP server continue-1: uvx mcp-server-time. Open Agent asks before it first uses it.',
        'Rules systemMessage: Goes to the end of your system prompt, in every workspace: Be brief. Name the file before the code.',
      ],
    },
    'continue/rule.md': {
      read: () => readRuleFile(textOf('continue/rule.md'), place('continue/rule.md', '/home/ada')),
      expected: [
        'Rules Database access: Is proposed for AGENTS.md of this workspace: For files that match src/db/**/*.ts: Go through the repository classes. - No SQL outside of `src/db`… Sent always; there only for src/db/**/*.ts.',
      ],
    },
    'cline/ollama.json': {
      read: () => readClineState(textOf('cline/ollama.json'), place('cline/ollama.json')),
      expected: ['Model qwen3:8b: Becomes a profile: qwen3:8b at http://localhost:11434, 32768 tokens of context.'],
    },
    'cline/compatible.json with secrets.json': {
      read: () =>
        readClineState(textOf('cline/compatible.json'), place('cline/compatible.json'), textOf('cline/secrets.json')),
      expected: [
        'Model devstral-small: Becomes a profile: devstral-small at http://gpu.example:8000/v1, 65536 tokens of context. [API key for http://gpu.example:8000]',
        'Model claude-sonnet-4: Not taken: "anthropic" is a hosted service or has an API of its own. With OpenAI\'s API, add it as a profile by hand.',
      ],
    },
    'cline/providers.json': {
      read: () => readClineProviders(textOf('cline/providers.json'), place('cline/providers.json')),
      expected: [
        'Model qwen3-coder:30b: Becomes a profile: qwen3-coder:30b at http://localhost:11434, 32768 tokens of context.',
        'Model glm-4.6-air: Becomes a profile: glm-4.6-air at http://gpu.example:8000/v1. Its headers are not taken: X-Team. [API key for http://gpu.example:8000]',
        'Model some/model: Not taken: "cline" is a hosted service or has an API of its own. With OpenAI\'s API, add it as a profile by hand.',
      ],
    },
    'cline/conditional.md': {
      read: () => readRuleFile(textOf('cline/conditional.md'), place('cline/conditional.md', '/home/ada')),
      expected: [
        'Rules conditional: Is proposed for AGENTS.md of this workspace: For files that match src/components/**, src/hooks/**: # Components - One component in each file. Sent always; there only for src/components/**, src/hooks/**.',
      ],
    },
    'cline/switchedOff.md': {
      read: () => readRuleFile(textOf('cline/switchedOff.md'), place('cline/switchedOff.md', '/home/ada')),
      expected: ['Rules switchedOff: Not taken: they are switched off there.'],
    },
    'continue/headers.yaml': {
      read: () => readContinueYaml(textOf('continue/headers.yaml'), place('continue/headers.yaml')),
      expected: [
        'Model Gateway: Becomes a profile: qwen3-32b at https://gateway.example.com/v1. Its headers are not taken: X-Gateway-Tenant.',
        'Model Reranker: Not taken: it is for rerank, not for chat.',
      ],
    },
    'roo/modeRules.md': {
      read: () => readModeRules(textOf('roo/modeRules.md'), place('.roo/rules-code/modeRules.md')),
      expected: [
        'Rules modeRules.md: Not taken: they are for the mode code only. Copy them into the prompt of an agent.',
      ],
    },
    'vscode/portable.json': {
      read: () => readPortableMcp(textOf('vscode/portable.json'), place('vscode/portable.json')),
      expected: [
        'MCP server docs: Becomes the MCP server docs: https://docs.example.com/mcp. Open Agent asks before it first uses it.',
        'MCP server files: Becomes the MCP server files: npx -y @modelcontextprotocol/server-filesystem /home/ada/notes. Open Agent asks before it first uses it.',
      ],
    },
    'cline/mcp.json': {
      read: () => readMcpSettings(textOf('cline/mcp.json'), place('cline/mcp.json')),
      expected: [
        'MCP server github.com/upstash/context7-mcp: Becomes the MCP server github-com-upstash-context7-mc: npx -y @upstash/context7-mcp@latest. Open Agent asks before it first uses it. Its name becomes github-com-upstash-context7-mc.',
        'MCP server brave: Becomes the MCP server brave: npx -y @modelcontextprotocol/server-brave-search. Open Agent asks before it first uses it. It stays switched off. [BRAVE_API_KEY of the MCP server brave]',
        'MCP server linear: Becomes the MCP server linear: https://mcp.linear.app/sse. Open Agent asks before it first uses it.',
        'MCP server figma: Becomes the MCP server figma: http://127.0.0.1:3845/mcp. Open Agent asks before it first uses it.',
        'MCP server postgres: Not taken: a key is part of its command line or address. Copy it by hand, if you want it in your settings.',
      ],
    },
    'cline/clinerules.md': {
      read: () => readRuleFile(textOf('cline/clinerules.md'), place('cline/clinerules.md', '/home/ada')),
      expected: [
        'Rules clinerules: Is proposed for AGENTS.md of this workspace: # House rules - Use tabs. - Ask before you add a dependency.',
      ],
    },
    'roo/roomodes.yaml': {
      read: () => readModeFile(textOf('roo/roomodes.yaml'), place('roo/roomodes.yaml', '/home/ada')),
      expected: [
        'Mode 📝 Documentation Writer: Becomes the agent docs-writer, without run_terminal_command. It may edit all files here; there only \\.(md|mdx)$. It comes from this workspace, and will be there in every workspace.',
        'Mode Reviewer: Becomes the agent reviewer, without apply_edit, write_file, run_terminal_command. It comes from this workspace, and will be there in every workspace.',
      ],
    },
    'roo/roomodes.json': {
      read: () => readModeFile(textOf('roo/roomodes.json'), place('roo/roomodes.json')),
      expected: [
        'Mode 🧪 Tester: Becomes the agent tester.',
        'Mode Broken: Not taken: slug: must be letters, digits and hyphens.',
      ],
    },
    'roo/settings.json': {
      read: () => readRooExport(textOf('roo/settings.json'), place('roo/settings.json')),
      expected: [
        'Model local: Becomes a profile: mistralai/devstral-small-2507 at http://127.0.0.1:1234.',
        'Model work: Becomes a profile: Qwen/Qwen3-Coder-30B-A3B-Instruct at https://vllm.example.com/v1, 131072 tokens of context. [API key for https://vllm.example.com]',
        'Model cloud: Not taken: "openrouter" is a hosted service or has an API of its own. With OpenAI\'s API, add it as a profile by hand.',
        'Mode Planner: Becomes the agent planner, without apply_edit, write_file, run_terminal_command.',
        'Rules Custom instructions: Goes to the end of your system prompt, in every workspace: Never touch generated files.',
      ],
    },
    'roo/mcp.json': {
      read: () => readMcpSettings(textOf('roo/mcp.json'), place('roo/mcp.json')),
      expected: [
        'MCP server filesystem: Not taken: it uses ${workspaceFolder}, which has no meaning in your own settings.',
        'MCP server sentry: Becomes the MCP server sentry: https://mcp.sentry.example/mcp. Open Agent asks before it first uses it. Its tools delete_project are switched off there, and ask here as all others. [X-Api-Key of the MCP server sentry]',
        'MCP server search: Not taken: a key is part of its command line or address. Copy it by hand, if you want it in your settings.',
        'MCP server broken: Not taken: command: expected string, received undefined',
      ],
    },
    'roo/rules.md': {
      read: () => readRuleFile(textOf('roo/rules.md'), place('roo/rules.md')),
      expected: ['Rules rules: Goes to the end of your system prompt, in every workspace: Prefer small functions.'],
    },
    'vscode/mcp.json': {
      read: () => readVsCodeMcp(textOf('vscode/mcp.json'), place('vscode/mcp.json')),
      expected: [
        'MCP server Perplexity: Becomes the MCP server Perplexity: npx -y server-perplexity-ask. Open Agent asks before it first uses it. Without PERPLEXITY_API_KEY, which is ${input:perplexity-key} there: add it by hand.',
        'MCP server fetch: Becomes the MCP server fetch: uvx mcp-server-fetch. Open Agent asks before it first uses it.',
        'MCP server github: Becomes the MCP server github: https://api.githubcopilot.com/mcp/. Open Agent asks before it first uses it.',
        'MCP server local-tools: Becomes the MCP server local-tools: /home/ada/bin/tools-mcp. Open Agent asks before it first uses it.',
      ],
    },
    'vscode/workspace.json': {
      read: () => readVsCodeMcp(textOf('vscode/workspace.json'), place('vscode/workspace.json', '/home/ada')),
      expected: [
        'MCP server playwright: Becomes the MCP server playwright: npx -y @playwright/mcp@latest. Open Agent asks before it first uses it. It comes from this workspace, and will be there in every workspace.',
        'MCP server db: Not taken: it uses ${workspaceFolder}, which has no meaning in your own settings.',
        'MCP server with env file: Not taken: it takes its variables from ${workspaceFolder}/.env. Open Agent reads no such file.',
      ],
    },
    'vscode/inputs.json': {
      read: () => readVsCodeMcp(textOf('vscode/inputs.json'), place('vscode/inputs.json')),
      expected: [
        'MCP server azure devops!: Becomes the MCP server azure-devops: npx -y @azure-devops/mcp contoso. Open Agent asks before it first uses it. Its name becomes azure-devops.',
        'MCP server notes: Becomes the MCP server notes: http://localhost:7070/sse. Open Agent asks before it first uses it. Without Authorization, which is Bearer ${input:notes} there: add it by hand.',
      ],
    },
  };
  for (const [file, { read, expected }] of Object.entries(cases)) {
    it(file, () => assert.deepEqual(described(read()), expected));
  }
});
