/**
 * The environment for commands: that of this process, with pagers, colours and questions turned off. Left out are variables
 * of the editor and of Electron, variables that run code or change the meaning of commands, those that point git at another
 * repository, and our own key and token.
 */
export function commandEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([name]) => !DROPPED.test(name));
  const environment = { ...Object.fromEntries(kept), ...QUIET };
  return usesForeignCharset(environment) ? { ...environment, LC_ALL: 'C.UTF-8' } : environment;
}

/** In any case, as on Windows. The groups: shells, loaders, programs, the editor and this extension. */
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
  // Nobody can answer, so programs that ask must fail, even if they could open a window.
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};

/** The environment of a confined command: without keys, passwords, and addresses of services that could act for it. */
export function confinedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !CONFINED_AWAY.test(name)));
}

const CONFINED_AWAY =
  /^(?:.*(?:_TOKEN|_SECRET|_SECRET_KEY|_PASSWORD|_PASSWD|_API_KEY|_ACCESS_KEY|_ACCESS_KEY_ID|_CREDENTIALS)|TOKEN|PASSWORD|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|DOCKER_HOST|XDG_RUNTIME_DIR|WAYLAND_DISPLAY|DISPLAY|XAUTHORITY|TMPDIR|TMP|TEMP|TMUX|STY)$/i;

/**
 * Whether the encoding of the locale is not UTF-8. In Shift-JIS, GBK or Big5, bytes of UTF-8 text could be quotes or operators
 * for the shell. A locale without an encoding means ASCII or UTF-8.
 */
function usesForeignCharset({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return /\.(?!utf-?8(?:@|$))/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
