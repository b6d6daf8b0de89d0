/** The output of `--help`. */
export const usage = `Usage: open-agent [options]
       open-agent doctor [options]   checks the server and the model, in about a minute
       open-agent exam [options]     finds out what a model can be used for, with small tasks in throwaway folders
       open-agent setup [options]    sets up a model on this machine
       open-agent serve [options]    serves the agent to programs on this machine, as an OpenAI-compatible endpoint

Without a prompt, open-agent starts a conversation in the terminal. Type /help there for its commands.

Prompt and output
  -p, --prompt TEXT   answer one prompt and end; the prompt may also come from standard input
      --image FILE    a PNG, JPEG, WebP or GIF that goes with the prompt, as it is. May be given several times
      --no-instructions
                      do not send AGENTS.md, other instructions of the project, and the list of skills
      --no-tui        never ask and read no keys: calls that need an answer are denied
      --output FORM   text: the answer on standard output, the log on standard error (the default)
                      json: one event a line on standard output, nothing else; implies --no-tui
      --output-schema FILE
                      a JSON Schema for the answer; standard output gets only the JSON value
      --tool-choice CHOICE
                      auto (the default), or required: the first response to a prompt must call a tool
Sessions
      --autoresume    continue this folder's session with the newest event, or start a new one
      --resume ID     continue the session with this id, or with an id that begins so
Server and model
      --base-url URL  the model server, such as http://localhost:8080/v1; lmstudio, ollama, llamacpp and vllm stand for
                      their usual addresses on this machine. Without it, open-agent looks for a server on this machine
      --model NAME    the model. Without it, a conversation asks when the server has several; else the first is used
      --api-key KEY   the server's key. Other users of the machine can see it: OPEN_AGENT_API_KEY is safer
      --ca FILE       a PEM file with a certificate authority to trust for https
      --profile ID    a profile of the settings file: server, model and sampling
      --agent ID      an agent of the settings file: prompt, tools, profile and limits
      --settings FILE the settings file; without it, ~/.open-agent/settings.json
Permissions
      --cwd DIR       the folder to work in; without it, the current one
      --permission-mode MODE
                      plan: only read; ask: ask before edits and commands (the default); acceptEdits: ask before
                      commands, and before edits of protected files
      --allow RULE    a command that runs without asking in the workspace folder, such as 'npm test'. ' *' at the end
                      allows any further words; 'edit:docs/**' allows edits of files. May be given several times
      --allow-unseen  allowed commands run although nobody has seen what the agent changed. This gives up a protection:
                      code that the agent wrote then runs as you, with your files and network. --confine keeps it
      --confine MODE  confine commands (Linux, with bubblewrap). workspace: they write only to the folder;
                      workspace-no-network: they also have no network; off. If confining fails, no command runs
      --pass-env NAME pass a variable on to commands although it looks like a secret, such as NPM_TOKEN or 'AWS_*'.
                      May be given several times
      --max-iterations N
                      the most responses with tool calls in a run (50)
Exam
      --all-models    examine every model of the server, one after another
      --seed N        another set of tasks, drawn by this number (0: the common set)
      --fresh         begin anew; without it, an exam that was stopped goes on
      --json          the results as JSON on standard output
Serve
      --port PORT     the port on 127.0.0.1 (8642; 0: any free port). Callers need the printed token, or the one in
                      OPEN_AGENT_TOKEN. Calls that need an answer are denied
      --allow-origin ORIGIN
                      a program that is a web page inside may send requests, with the token, such as app://obsidian.md.
                      May be given several times
      --max-runs N, --max-run-tokens N, --max-response-tokens N
                      the most runs at once (16; further ones get 429), and the most tokens that the model may write
                      in a run (100000) and in one response (no limit of its own)

  -h, --help          print this text
      --version       print the version

Flags win over the environment, the environment over the settings file. Variables: OPEN_AGENT_BASE_URL, OPEN_AGENT_MODEL,
OPEN_AGENT_API_KEY, OPEN_AGENT_CA, OPEN_AGENT_PROFILE, OPEN_AGENT_AGENT, OPEN_AGENT_PERMISSION_MODE,
OPEN_AGENT_MAX_ITERATIONS and OPEN_AGENT_SETTINGS. A key is only sent to the server it was given for.
The settings file is JSON: baseUrl, model, apiKey, ca; temperature, maxTokens, contextWindow, maxToolIterations,
modelOptions, systemPrompt, permissionMode, confineCommands, commandEnvironment, profile, agent, profiles and agents as in
the extension's settings;
{"rules": {"allow": [], "ask": [], "deny": []}}; and MCP servers:
{"mcp": {"NAME": {"command": "…", "args": []}, "OTHER": {"url": "https://…"}}}. open-agent asks before it first uses a
server. Its tools are named mcp__NAME__TOOL, and ask unless a rule such as 'tool:mcp__NAME__*' allows them.

setup shows the models that fit into this machine, and asks before it fetches anything. Its options: --model ID, a GGUF file or
its https address; --yes: fetch without a question; --llama-server FILE: the program to run models with; --catalogue FILE: a
catalogue of your own; --folder FOLDER: keep models and programs there from now on; --update: fetch a newer version; --list: what
is kept on the disk; --remove NAME.
Later starts use the model when no server is named.

Exit codes: 0 the run finished · 1 it failed, or doctor found a problem · 2 wrong usage · 3 a call was denied because
nobody could be asked · 4 the run reached --max-iterations · 5 the answer does not match the schema · 6 another process
has the session open · 130 interrupted
`;
