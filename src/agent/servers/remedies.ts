import * as l10n from '../../util/l10n';
import type { Remedy } from '../view/server/doctorReport';
import type { ServerKind } from './probe/serverIdentity';

/** Who runs the server. `own`: Open Agent does, on this machine, so flags of its program are no remedy. */
export type RunBy = ServerKind | 'own';

type ByKind = Partial<Record<RunBy, Remedy>> & { readonly other: Remedy };

/** The remedy for this kind of server. Flags and variables come from the server's documentation. */
function forKind(remedies: ByKind, kind: RunBy): Remedy {
  return remedies[kind] ?? remedies.other;
}

/** For tool calls that the server rejects, does not recognise, or that the model does not make. */
export function toolCallsRemedy(kind: RunBy): Remedy {
  return forKind(toolCalls(), kind);
}

const otherModel = (): Remedy => ({
  text: l10n.t('Choose another model: "Set Up a Model on This Machine…", or "open-agent setup" on the command line.'),
});

const toolCalls = (): ByKind => ({
  own: otherModel(),
  'llama.cpp': {
    text: l10n.t(
      'Start llama-server with --jinja, and use a model whose chat template has tools, such as Qwen3 or gpt-oss.',
    ),
    copy: '--jinja',
  },
  ollama: {
    text: l10n.t('Use a model that "ollama show" lists with the capability "tools", such as qwen3 or gpt-oss.'),
    copy: 'ollama pull qwen3:8b',
  },
  lmstudio: {
    text: l10n.t(
      'In LM Studio, use a model with the hammer icon (trained for tool use), and keep its prompt template as it came.',
    ),
  },
  vllm: {
    text: l10n.t(
      'Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model: hermes for Qwen2.5 and Qwen3, qwen3_coder, llama3_json or mistral for those.',
    ),
    copy: '--enable-auto-tool-choice --tool-call-parser hermes',
  },
  other: {
    text: l10n.t(
      'Turn tool calling on at the server, or use a model that was trained for it, such as Qwen3 or gpt-oss.',
    ),
  },
});

/** For a history with tool results that is rejected or not understood. */
export function templateRemedy(kind: RunBy): Remedy {
  return forKind(template(), kind);
}

const template = (): ByKind => ({
  own: otherModel(),
  'llama.cpp': {
    text: l10n.t(
      'Start llama-server with --jinja; where the template inside the model file is broken, give it a better one with --chat-template-file.',
    ),
    copy: '--jinja',
  },
  vllm: {
    text: l10n.t('Give vLLM a template that knows tool results with --chat-template, or use a model that has one.'),
    copy: '--chat-template',
  },
  other: { text: l10n.t('Use a model whose chat template knows tool results, such as Qwen3 or gpt-oss.') },
});

/** For reasoning inside the answer. */
export function reasoningRemedy(kind: RunBy): Remedy {
  return forKind(reasoning(), kind);
}

const reasoning = (): ByKind => ({
  'llama.cpp': {
    text: l10n.t(
      'Start llama-server with --jinja --reasoning-format auto, so that it sends thoughts apart from the answer.',
    ),
    copy: '--jinja --reasoning-format auto',
  },
  vllm: {
    text: l10n.t(
      'Start vLLM with the --reasoning-parser of the model, such as qwen3 or deepseek_r1, so that it sends thoughts apart from the answer.',
    ),
    copy: '--reasoning-parser qwen3',
  },
  lmstudio: {
    text: l10n.t(
      'In LM Studio, Developer settings: turn on "separate reasoning_content and content in API responses".',
    ),
  },
  other: {
    text: l10n.t('Nothing has to change. A newer version of the server may send thoughts apart from the answer.'),
  },
});

/** For a context window that is too small. `tokens` would be enough. */
export function windowRemedy(kind: RunBy, tokens: number): Remedy {
  const remedies: ByKind = {
    own: {
      text: l10n.t(
        'A smaller model leaves memory for {0} tokens: "Set Up a Model on This Machine…", or "open-agent setup" on the command line.',
        tokens,
      ),
    },
    'llama.cpp': {
      text: l10n.t(
        'Start llama-server with -c {0}; where that needs too much memory, -ctk q8_0 -ctv q8_0 halves what the cache takes.',
        tokens,
      ),
      copy: `-c ${tokens}`,
    },
    ollama: {
      text: l10n.t(
        'Set OLLAMA_CONTEXT_LENGTH={0} in the environment of "ollama serve" (or the slider in its settings), then restart it. Requests cannot set it.',
        tokens,
      ),
      copy: `OLLAMA_CONTEXT_LENGTH=${tokens}`,
    },
    lmstudio: {
      text: l10n.t(
        'In LM Studio, load the model again with a Context Length of {0}: the gear beside the model in My Models, or the options when you load it.',
        tokens,
      ),
      copy: `lms load MODEL --context-length ${tokens}`,
    },
    vllm: { text: l10n.t('Start vLLM with --max-model-len {0}.', tokens), copy: `--max-model-len ${tokens}` },
    koboldcpp: { text: l10n.t('Start KoboldCpp with --contextsize {0}.', tokens), copy: `--contextsize ${tokens}` },
    other: { text: l10n.t('Load the model with a context window of {0} tokens or more.', tokens) },
  };
  return forKind(remedies, kind);
}

/** For a prompt whose unchanged beginning is read again. */
export function cacheRemedy(kind: RunBy, slots: number | undefined): Remedy {
  if (kind === 'llama.cpp' && slots !== undefined && slots > 1) {
    return {
      text: l10n.t(
        'Start llama-server with -np 1, so that every request goes to the slot that has the conversation in its cache.',
      ),
      copy: '-np 1',
    };
  }
  return forKind(cache(), kind);
}

const cache = (): ByKind => ({
  own: otherModel(),
  'llama.cpp': {
    text: l10n.t(
      'Start llama-server without --no-cache-prompt. Models with sliding-window attention, such as Gemma 3, also need --swa-full. With --cache-reuse 256, text that has moved is reused, too.',
    ),
    copy: '--swa-full --cache-reuse 256',
  },
  vllm: { text: l10n.t('Start vLLM with --enable-prefix-caching.'), copy: '--enable-prefix-caching' },
  other: {
    text: l10n.t(
      'Turn the prompt (or prefix) cache of the server on; without it, each step reads the whole conversation.',
    ),
  },
});

/** For a server that does not report its cache. */
export function cacheReportRemedy(kind: RunBy): Remedy | undefined {
  if (kind !== 'vllm') return undefined;
  return {
    text: l10n.t('vLLM says how much it had in its cache when it is started with --enable-prompt-tokens-details.'),
    copy: '--enable-prompt-tokens-details',
  };
}
