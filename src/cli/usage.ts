/** What `--help` prints. */
export const usage = `Usage: open-agent [options]
       open-agent doctor [options]   checks the server and the model, in about a minute
       open-agent serve [options]    serves the agent to programs on this machine, as an OpenAI-compatible endpoint

Without a prompt: a conversation, when started in a terminal.

  -p, --prompt TEXT   answer one prompt and end; without it, the prompt may also come from standard input
      --base-url URL  the model server, such as http://localhost:8080/v1, or lmstudio, ollama, llamacpp or vllm for
                      its usual address on this machine (or OPEN_AGENT_BASE_URL); without it, a server running on
                      this machine is looked for
      --model NAME    the model (or OPEN_AGENT_MODEL); without it, the first the server lists
      --ca FILE       a PEM file with a certificate authority to trust for https (or OPEN_AGENT_CA)
      --profile ID    a profile of the settings file: server, model and sampling
      --agent ID      an agent of the settings file: prompt, tools, profile and limits
      --permission-mode MODE
                      plan: reading only; ask: ask before edits and commands (the default); acceptEdits: ask before
                      commands and before edits of protected files only
      --allow RULE    a command that runs without a question, such as 'npm test'; with ' *' at the end it may have any
                      further words; 'edit:docs/**' for edits of files. May be given several times
      --cwd DIR       the folder to work in; without it, the current one
      --port PORT     serve: the port on 127.0.0.1 (8642; 0: any that is free). Callers need the token that is printed, or
                      the one in OPEN_AGENT_TOKEN. What would ask is denied
      --max-runs N, --max-run-tokens N, --max-response-tokens N
                      serve: runs at once (16; more are answered with 429), and tokens that the model may write in a
                      run (100000) and in one response (as its owner and the caller say)
  -h, --help          this text
      --version       the version

OPEN_AGENT_API_KEY is sent to the server of the base URL, and nowhere else.
What neither flags nor environment say is read from ~/.open-agent/settings.json (baseUrl, model, apiKey, ca), if it exists;
its profiles, agents and rules ({"rules": {"allow": [], "ask": [], "deny": []}}) are written as those of the extension's settings.
Its mcp names MCP servers: {"mcp": {"NAME": {"command": "…", "args": []}, "OTHER": {"url": "https://…"}}}. Each is asked
about before it is first used; their tools are mcp__NAME__TOOL, and ask unless a rule such as 'tool:mcp__NAME__*' allows them.
Edits and commands are asked about in the terminal; without one they are denied.

Exit codes: 0 the run completed · 1 it failed, or doctor found a problem · 2 wrong usage · 3 something was denied because nobody could be asked ·
130 interrupted
`;
