/** The output of `--help`. */
export const usage = `Usage: open-agent [options]
       open-agent doctor [options]   checks the server and the model, in about a minute
       open-agent serve [options]    serves the agent to programs on this machine, as an OpenAI-compatible endpoint

Without a prompt: a conversation, when started in a terminal. /help lists what can be typed there.

Prompt and output
  -p, --prompt TEXT   answer one prompt and end; without it, the prompt may also come from standard input
      --no-tui        ask nobody and read no keys, also in a terminal: what would be asked about is denied
      --output FORM   text: the answer on standard output, the log on standard error (the default)
                      json: an event a line on standard output and nothing else there; implies --no-tui
      --output-schema FILE
                      a JSON Schema that the answer has to match; standard output gets the JSON value alone
      --tool-choice CHOICE
                      auto (the default), or required: the first response to a prompt has to call a tool
Sessions
      --autoresume    go on with the session of this folder in which something happened last; without one, a new one
      --resume ID     go on with this session; the beginning of the id is enough
Server and model
      --base-url URL  the model server, such as http://localhost:8080/v1, or lmstudio, ollama, llamacpp or vllm for
                      its usual address on this machine; without it, a server running on this machine is looked for
      --model NAME    the model; without it you are asked where the server has several, or the first is taken
      --api-key KEY   the server's key. Other users of the machine can see it: OPEN_AGENT_API_KEY is safer
      --ca FILE       a PEM file with a certificate authority to trust for https
      --profile ID    a profile of the settings file: server, model and sampling
      --agent ID      an agent of the settings file: prompt, tools, profile and limits
      --settings FILE another settings file than ~/.open-agent/settings.json
What it may do
      --cwd DIR       the folder to work in; without it, the current one
      --permission-mode MODE
                      plan: reading only; ask: ask before edits and commands (the default); acceptEdits: ask before
                      commands and before edits of protected files only
      --allow RULE    a command that runs without a question, such as 'npm test'; with ' *' at the end it may have any
                      further words; 'edit:docs/**' for edits of files. May be given several times
      --confine MODE  confine commands (Linux, with bubblewrap): workspace: they write to the folder only;
                      workspace-no-network: and have no network; off. Where it cannot be done, no command runs
      --max-iterations N
                      how many responses with tool calls a run may have (50)
Serve
      --port PORT     the port on 127.0.0.1 (8642; 0: any that is free). Callers need the token that is printed, or
                      the one in OPEN_AGENT_TOKEN. What would ask is denied
      --max-runs N, --max-run-tokens N, --max-response-tokens N
                      runs at once (16; more are answered with 429), and tokens that the model may write in a
                      run (100000) and in one response (as its owner and the caller say)

  -h, --help          this text
      --version       the version

Flags come before the environment, that before the settings file. The environment: OPEN_AGENT_BASE_URL, OPEN_AGENT_MODEL,
OPEN_AGENT_API_KEY, OPEN_AGENT_CA, OPEN_AGENT_PROFILE, OPEN_AGENT_AGENT, OPEN_AGENT_PERMISSION_MODE,
OPEN_AGENT_MAX_ITERATIONS and OPEN_AGENT_SETTINGS. A key is sent to the server it was given for, and nowhere else.
The settings file is JSON: baseUrl, model, apiKey, ca; temperature, maxTokens, contextWindow, maxToolIterations,
modelOptions, systemPrompt, permissionMode, confineCommands, profile, agent, profiles and agents as in the extension's settings;
{"rules": {"allow": [], "ask": [], "deny": []}}; and MCP servers:
{"mcp": {"NAME": {"command": "…", "args": []}, "OTHER": {"url": "https://…"}}}. Each is asked about before it is first
used; their tools are mcp__NAME__TOOL, and ask unless a rule such as 'tool:mcp__NAME__*' allows them.

Exit codes: 0 the run finished · 1 it failed, or doctor found a problem · 2 wrong usage · 3 something was denied because
nobody was there to ask · 4 the run came to --max-iterations · 5 the answer does not match the schema · 6 another process
has the session · 130 interrupted
`;
