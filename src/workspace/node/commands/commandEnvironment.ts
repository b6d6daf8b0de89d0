/**
 * The environment for commands: this process's own, without what would make them behave differently from a terminal
 * (variables of the editor and of Electron), run code before or inside the command, change what the shell or a program
 * does with the same words, or point git at another repository; without our own key and token, which are for the model
 * server and for callers of the endpoint alone; and with pagers, colours and questions turned off.
 */
export function commandEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([name]) => !DROPPED.test(name));
  const environment = { ...Object.fromEntries(kept), ...QUIET };
  return usesForeignCharset(environment) ? { ...environment, LC_ALL: 'C.UTF-8' } : environment;
}

/** Names that may come in any case, as on Windows. Each group: shells, loaders, programs, the editor and ourselves. */
const DROPPED = new RegExp(
  `^(?:${[
    'BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_LOADABLES_PATH|POSIXLY_CORRECT|CDPATH|GLOBIGNORE|EXECIGNORE|IFS|PS4|PROMPT_COMMAND',
    'LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES',
    'GIT_.*|RIPGREP_CONFIG_PATH|GREP_OPTIONS|LESSOPEN|LESSCLOSE|MANPAGER|NODE_OPTIONS',
    'ELECTRON_.*|VSCODE_.*|OPEN_AGENT_API_KEY|OPEN_AGENT_TOKEN|OPEN_AGENT_RUN',
  ].join('|')})$`,
  'i',
);

const QUIET = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // Nobody could answer: whoever wants to ask is to fail instead, also where a window could be opened.
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};

/**
 * The environment of a confined command: without keys and passwords, and without the addresses of services that would do
 * for it what it must not do itself.
 */
export function confinedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !CONFINED_AWAY.test(name)));
}

const CONFINED_AWAY =
  /^(?:.*(?:_TOKEN|_SECRET|_SECRET_KEY|_PASSWORD|_PASSWD|_API_KEY|_ACCESS_KEY|_ACCESS_KEY_ID|_CREDENTIALS)|TOKEN|PASSWORD|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|DOCKER_HOST|XDG_RUNTIME_DIR|WAYLAND_DISPLAY|DISPLAY|XAUTHORITY|TMPDIR|TMP|TEMP|TMUX|STY)$/i;

/**
 * Whether the locale names an encoding in which bytes of our UTF-8 could mean quotes or operators to the shell
 * (Shift-JIS, GBK, Big5 …). A locale without an encoding is ASCII or UTF-8 on every system in use.
 */
function usesForeignCharset({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return /\.(?!utf-?8(?:@|$))/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
