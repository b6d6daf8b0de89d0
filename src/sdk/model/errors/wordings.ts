/**
 * What a server's error means. `overflow`: the prompt, or prompt and answer, do not fit into the window · `unreadable`: the
 * server could not read its own model's output, mostly a tool call · `broken`: a gateway lost its server in mid-answer.
 */
export type ErrorMeaning = 'overflow' | 'unreadable' | 'broken';

interface Wording {
  /** The server, and the newest version in which the words were seen. A dash: not known. */
  readonly server: string;
  readonly words: string;
}

/** Whether a server's own words have this meaning. They must not hold the request that some servers repeat. */
export function hasMeaning(meaning: ErrorMeaning, said: string): boolean {
  return patternOf(WORDINGS[meaning]).test(said);
}

/** Known words of servers. What is in none of them is judged by when and where it came. */
const WORDINGS: Readonly<Record<ErrorMeaning, readonly Wording[]>> = {
  overflow: [
    { server: 'llama.cpp b11669', words: 'exceed_context_size_error' },
    { server: 'llama.cpp b11669', words: 'exceeds? the available context size' },
    { server: 'llama.cpp b11669', words: 'context size (?:has been |was )?exceeded' },
    { server: 'llama.cpp b11669', words: 'larger than the max context size' },
    { server: 'llama.cpp b11669', words: 'context shift is disabled|context shift cannot be used' },
    { server: 'OpenAI, vLLM, SGLang', words: 'context[_ ]length[_ ]exceeded' },
    { server: 'OpenAI, vLLM, SGLang', words: 'maximum context length' },
    { server: 'many', words: 'context[ _]window (?:of|is|has|exceed)' },
    { server: 'LiteLLM -', words: 'ContextWindowExceeded' },
    { server: 'vLLM -', words: 'context length is only [\\d,]+' },
    { server: 'vLLM, SGLang -', words: 'longer than the (?:maximum model length|model.s context length)' },
    { server: 'many', words: 'exceeds? (?:the )?(?:model.s )?(?:maximum )?context (?:length|limit|window|size)' },
    { server: 'many', words: 'input is too long for' },
    { server: 'LM Studio 0.3', words: 'when context the overflows' },
    { server: 'LM Studio 0.4', words: 'greater than the context length' },
    { server: 'LM Studio 0.4', words: 'n_keep\\b.{0,24}>=? ?n_ctx' },
    { server: 'LM Studio -', words: 'reached (?:the )?context length' },
    { server: 'Ollama -', words: 'input length exceeds' },
    { server: 'Ollama -', words: 'prompt (?:is )?too long' },
    { server: 'TGI -', words: 'tokens? \\+ `?max_new_tokens`? must be <=' },
    { server: 'TGI -', words: '`?inputs`? must have less than [\\d,]+ tokens' },
    { server: 'TabbyAPI -', words: 'greater than (?:the )?max[_ ]seq(?:_len|uence length)' },
    { server: 'MLC -', words: 'larger than the model input length limit' },
    { server: 'TensorRT-LLM -', words: 'should not exceed max_num_tokens' },
    { server: 'TensorRT-LLM 1.0', words: 'larger than max_seq_len' },
    { server: 'TabbyAPI -', words: 'requires \\d+ pages \\(only \\d+ available\\)' },
    { server: 'LMDeploy -', words: 'INPUT_LENGTH_ERROR' },
    {
      server: 'OpenVINO Model Server, ONNX Runtime -',
      words:
        '(?:prompt|input|tokens?|sequence)\\b.{0,60}\\bexceeds? (?:the )?(?:model(?:.s)? )?max(?:imum)?[ _](?:(?:sequence|prompt|input|allowed|context)[ _])?length',
    },
    { server: 'Gemini -', words: 'input token count .{0,40}exceeds the maximum' },
    { server: 'OpenAI -', words: 'reduce the length of the messages' },
  ],
  unreadable: [
    { server: 'llama.cpp b11669', words: 'output that does not match the expected .{1,40} format' },
    { server: 'llama.cpp b11669', words: "invalid diff: '" },
    { server: 'llama.cpp b9000', words: 'failed to parse input at pos' },
    { server: 'llama.cpp, LM Studio, SGLang', words: 'failed to parse (?:the )?(?:tool|function) call' },
    { server: 'many', words: 'failed to parse (?:the )?(?:model|assistant).{0,20}(?:output|response|message)' },
    { server: 'Ollama -', words: 'error parsing (?:tool|function) call' },
    { server: 'Ollama -', words: 'xml syntax error' },
    { server: 'vLLM -', words: 'error in extracting (?:tool|function) call' },
    { server: 'vLLM -', words: 'tool call parser' },
    { server: 'vLLM with gpt-oss -', words: 'unexpected tokens? (?:remaining in message header|\\d+ while expecting)' },
    { server: 'Groq -', words: 'tool_use_failed|failed_generation|failed to call a function' },
  ],
  broken: [
    { server: 'LiteLLM 1.106', words: 'response payload is not completed' },
    { server: 'LiteLLM 1.106', words: 'APIConnectionError' },
    { server: 'Python gateways -', words: 'incomplete chunked read|peer closed connection' },
    { server: 'Go gateways -', words: 'unexpected EOF|connection reset by peer' },
  ],
};

function patternOf(wordings: readonly Wording[]): RegExp {
  return new RegExp(wordings.map(({ words }) => words).join('|'), 'i');
}
