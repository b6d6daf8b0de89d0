/** How another command-line agent does one task without questions. All files are below a home of its own. */
export interface OtherAgent {
  /** In npm. */
  readonly package: string;
  /** In `node_modules/.bin`. */
  readonly program: string;
  readonly args: (asked: Asked) => readonly string[];
  readonly env: (asked: Asked) => Readonly<Record<string, string>>;
  /** Text by path in its home. */
  readonly files: (asked: Asked) => Readonly<Record<string, string>>;
}

export interface Asked {
  readonly baseUrl: string;
  readonly model: string;
  readonly prompt: string;
  /** Absolute. */
  readonly home: string;
}

/** The servers here want none, and all agents want one. */
const KEY = 'not-needed';
const WINDOW = 32_768;

/** The agents that are compared, by their documents and `--help` of November 2026. */
export const otherAgents: Readonly<Record<string, OtherAgent>> = {
  opencode: {
    package: 'opencode-ai',
    program: 'opencode',
    // It puts quotation marks around an argument with blanks, so each word is an argument.
    args: ({ model, prompt }) => [
      ...['run', '--auto', '--model', `local/${model}`, '--title', 'task', '--'],
      ...prompt.split(' '),
    ],
    env: ({ baseUrl, model }) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: `local/${model}`,
        small_model: `local/${model}`,
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            name: 'local',
            options: { baseURL: baseUrl, apiKey: KEY },
            models: { [model]: { name: model, tool_call: true, limit: { context: WINDOW, output: 8_192 } } },
          },
        },
      }),
    }),
    files: () => ({}),
  },
  'qwen-code': {
    package: '@qwen-code/qwen-code',
    program: 'qwen',
    args: ({ model, baseUrl, prompt }) => [
      ...['--approval-mode', 'yolo', '--auth-type', 'openai', '--model', model],
      ...['--openai-base-url', baseUrl, '--openai-api-key', KEY, '--chat-recording', 'false', prompt],
    ],
    // A folder `.qwen` would be read-only, as the settings of agents are.
    env: ({ home }) => ({ QWEN_SANDBOX: 'false', QWEN_HOME: `${home}/qwen` }),
    files: () => ({}),
  },
  pi: {
    package: '@mariozechner/pi-coding-agent',
    program: 'pi',
    args: ({ model, prompt }) => [
      ...['--print', '--offline', '--no-session', '--provider', 'local', '--model', model],
      prompt,
    ],
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),
    files: ({ baseUrl, model }) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          local: {
            ...{ baseUrl, api: 'openai-completions', apiKey: KEY },
            models: [
              {
                ...{
                  id: model,
                  name: model,
                  reasoning: false,
                  input: ['text'],
                  contextWindow: WINDOW,
                  maxTokens: 8_192,
                },
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
    }),
  },
  cline: {
    package: 'cline',
    program: 'cline',
    args: ({ model, prompt, home }) => [
      ...['--auto-approve', 'true', '--json', '-P', 'openai-compatible', '-m', model],
      ...['--config', `${home}/cline`, '--data-dir', `${home}/cline/data`, prompt],
    ],
    env: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
    files: ({ baseUrl, model }) => ({
      'cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', baseUrl, model, apiKey: KEY },
            ...{ updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' },
          },
        },
      }),
    }),
  },
};
