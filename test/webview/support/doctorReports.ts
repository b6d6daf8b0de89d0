import type { DoctorReport } from '../../../src/agent/view/server/doctorReport';

/** A finished check with each kind of result and remedy. */
export const finishedCheck: DoctorReport = {
  state: 'finished',
  baseUrl: 'http://127.0.0.1:8080/v1',
  serverName: 'llama.cpp',
  model: 'ggml-org_Qwen2.5-Coder-32B-Instruct-Q4_K_M.gguf',
  checks: [
    {
      id: 'server',
      title: 'Server',
      status: 'ok',
      detail: 'llama.cpp answers at http://127.0.0.1:8080/v1 and lists 1 model.',
    },
    {
      id: 'model',
      title: 'Model',
      status: 'ok',
      detail: 'ggml-org_Qwen2.5-Coder-32B-Instruct-Q4_K_M.gguf answers. It began to answer after 0.4 s.',
    },
    {
      id: 'streaming',
      title: 'Streaming',
      status: 'ok',
      detail:
        'The answer arrives while it is written (20 pieces) and ends with finish_reason and [DONE]. Token counts come with it.',
    },
    {
      id: 'native_tools',
      title: 'Tool calls',
      status: 'problem',
      detail:
        'http://127.0.0.1:8080/v1/chat/completions does not take tools for this model, so they are described in text, which works less well. It says: tools param requires --jinja flag\u202E',
      remedy: {
        text: 'Start llama-server with --jinja, and use a model whose chat template has tools, such as Qwen3 or gpt-oss.',
        copy: '--jinja',
      },
    },
    {
      id: 'text_tools',
      title: 'Tool calls in text',
      status: 'ok',
      detail: 'The model calls tools that are described in text. Open Agent does so for this model from now on.',
    },
    {
      id: 'parallel_calls',
      title: 'Several calls at once',
      status: 'ok',
      detail: 'The model makes one call at a time. That works; it only takes a few more steps.',
    },
    { id: 'tool_result', title: 'Tool results', status: 'ok', detail: 'The model reads the results of its tools.' },
    {
      id: 'reasoning',
      title: 'Reasoning',
      status: 'advice',
      detail: 'openAgent.maxTokens allows 1000 tokens for thoughts and answer together, which may end in a thought.',
      remedy: { text: 'Set it to null, or to 4096 or more.', setting: 'openAgent.maxTokens' },
    },
    {
      id: 'context_window',
      title: 'Context window',
      status: 'advice',
      detail: '12,288 tokens, as loaded. Small tasks work; 16k and more is better.',
      remedy: { text: 'Start llama-server with -c 32768.', copy: '-c 32768' },
    },
    {
      id: 'prompt_cache',
      title: 'Prompt cache',
      status: 'unknown',
      detail: 'The server does not report its prompt cache.',
    },
    { id: 'slots', title: 'Slots', status: 'skipped', detail: 'The check was stopped.' },
  ],
};

/** The same check while it tests tool calls. */
export const runningCheck: DoctorReport = {
  ...finishedCheck,
  state: 'running',
  checks: finishedCheck.checks.map((check, index) => {
    const { id, title } = check;
    if (index < 3) return check;
    return index === 3
      ? { id, title, status: 'running', doing: 'Waiting for the running answer' }
      : { id, title, status: 'waiting' };
  }),
};
