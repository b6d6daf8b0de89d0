// The linter's rules. The layers of the source are one table: which folders of `src` a folder may import.
const every = [
  'util',
  'sdk',
  'workspace',
  'mcp',
  'localModel',
  'agent',
  'protocol',
  'endpoint',
  'host',
  'webview',
  'cli',
  'library',
  'bridge',
];
const mayImport = {
  util: [],
  sdk: ['util'],
  workspace: ['util', 'sdk'],
  mcp: ['util', 'sdk'],
  localModel: ['util', 'sdk', 'workspace'],
  agent: ['util', 'sdk', 'workspace', 'mcp'],
  protocol: ['util', 'sdk', 'agent'],
  endpoint: ['util', 'sdk', 'workspace', 'agent'],
  cli: ['util', 'sdk', 'workspace', 'mcp', 'localModel', 'agent', 'endpoint'],
  host: ['util', 'sdk', 'workspace', 'mcp', 'localModel', 'agent', 'endpoint', 'protocol', 'bridge'],
  webview: ['util', 'agent', 'protocol'],
  library: ['util', 'sdk', 'workspace', 'mcp', 'agent'],
  bridge: ['util', 'sdk'],
};

const noBarrel = {
  regex: '^(\\.\\./)+sdk(/index)?$',
  message: 'Import the file itself: sdk/index.ts is for users of the SDK.',
};
const noOpenai = { regex: '^openai($|/)', message: 'Only sdk/model/openaiRequest.ts imports openai.' };
const noVscode = {
  regex: '^vscode$',
  message: 'Only host/, the entries and windows of bridge/, and extension.ts import vscode.',
};

/** Stricter rules of single folders, beside the table. */
const alsoRestricted = {
  host: [
    {
      group: ['**/mcp/**', '!**/mcp/mcpServers', '!**/mcp/serverConfig', '!**/agent/mcp/*'],
      allowTypeImports: true,
      message:
        'host imports only types, McpServers and serverConfig from mcp: the SDK of MCP is loaded with the first server.',
    },
    {
      group: ['**/bridge/**', '!**/bridge/messages', '!**/bridge/allowedRequests'],
      allowTypeImports: true,
      message: 'host imports only types, messages and allowedRequests from bridge: the rest is another extension.',
    },
  ],
  bridge: [
    {
      group: ['**/sdk/**', '!**/sdk/model/http/*'],
      message: 'bridge imports only the transport from sdk, because it must stay small.',
    },
  ],
  protocol: [{ group: ['**/agent/**', '!**/agent/view/**'], message: 'The protocol imports only agent/view.' }],
  webview: [
    { group: ['**/agent/**', '!**/agent/view/**'], message: 'The webview imports only agent/view.' },
    {
      group: ['**/protocol/**'],
      allowTypeImports: true,
      message: 'The webview imports only types from protocol: zod stays out of its bundle.',
    },
    { regex: '^node:', message: 'The webview runs in a browser.' },
  ],
};

function layer(folder, { files = [`src/${folder}/**/*.ts`, `src/${folder}/**/*.tsx`], except = [] } = {}) {
  const others = every.filter((name) => name !== folder && !mayImport[folder].includes(name));
  const allowed = [folder, ...mayImport[folder]].join(', ');
  const patterns = [
    {
      regex: `^(\\.\\./)+(${others.join('|')})(/|$)`,
      message: `src/${folder} may import only ${allowed} (ARCHITECTURE.md, Layers).`,
    },
    ...(alsoRestricted[folder] ?? []),
    ...(folder === 'sdk' ? [] : [noBarrel]),
    noOpenai,
    ...(folder === 'host' ? [] : [noVscode]),
  ].filter((pattern) => !except.includes(pattern));
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

export default {
  plugins: ['eslint', 'typescript', 'import', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error' },
  options: { typeAware: true },
  env: { node: true, browser: true, es2024: true },
  ignorePatterns: [
    'dist',
    '.vscode-test',
    '.test-servers',
    '.start',
    'test/fixtures',
    'examples/sample-workspace',
    'test-results',
  ],
  rules: {
    'no-console': 'error',
    'no-empty': ['error', { allowEmptyCatch: false }],
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-namespace': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/return-await': ['error', 'in-try-catch'],
    'oxc/no-barrel-file': 'off',
    'unicorn/no-useless-spread': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-meaningless-void-operator': 'off',
  },
  overrides: [
    ...every.map((folder) => layer(folder)),
    layer('sdk', { files: ['src/sdk/model/openaiRequest.ts'], except: [noOpenai] }),
    layer('bridge', {
      files: ['src/bridge/extension.ts', 'src/bridge/webExtension.ts', 'src/bridge/window/**/*.ts'],
      except: [noVscode],
    }),
    {
      files: ['test/**', 'scripts/**', 'bench/**', 'examples/**', 'src/cli.ts', 'src/cli/**', 'esbuild.js'],
      rules: { 'no-console': 'off' },
    },
    { files: ['*.config.mjs'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['test/**'],
      rules: {
        'typescript/no-non-null-assertion': 'off',
        'typescript/no-unsafe-type-assertion': 'off',
        'typescript/unbound-method': 'off',
      },
    },
  ],
};
