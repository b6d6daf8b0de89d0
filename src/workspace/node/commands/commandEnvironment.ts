import { isSecretVariable } from './secretVariables';

/** Names of variables, and patterns such as `AWS_*`, that are passed on although they look like secrets. */
export type PassedVariables = readonly string[];

/**
 * The environment for commands: that of this process, with pagers, colours and questions turned off. Left out are
 * variables that look like secrets, except those of `passed`. Always left out are variables of the editor and of
 * Electron, variables that run code or change the meaning of commands, those that point git at another repository, and
 * our own key and token.
 */
export function commandEnvironment(base: NodeJS.ProcessEnv, passed: PassedVariables = []): NodeJS.ProcessEnv {
  const withheld = new Set(withheldVariables(base, passed));
  const kept = Object.entries(base).filter(([name]) => !DROPPED.test(name) && !withheld.has(name));
  const environment = { ...Object.fromEntries(kept), ...QUIET };
  return usesForeignCharset(environment) ? { ...environment, LC_ALL: 'C.UTF-8' } : environment;
}

/** The names of the variables that look like secrets and are not in `passed`. */
export function withheldVariables(base: NodeJS.ProcessEnv, passed: PassedVariables = []): readonly string[] {
  const patterns = passed.map(patternOf);
  return Object.entries(base).flatMap(([name, value = '']) =>
    !DROPPED.test(name) && isSecretVariable(name, value) && !patterns.some((pattern) => pattern.test(name))
      ? [name]
      : [],
  );
}

/** `*` stands for any characters. Windows ignores the case of names. */
function patternOf(text: string): RegExp {
  const literals = text.split(/\*+/).map((literal) => literal.replaceAll(/[^\w]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('.*')}$`, process.platform === 'win32' ? 'is' : 's');
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

/**
 * The environment of a confined command, made from that of `commandEnvironment`: without the addresses of services that
 * could act for the command, and without temporary folders, because it gets its own.
 */
export function confinedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !CONFINED_AWAY.test(name)));
}

const CONFINED_AWAY =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|GNOME_KEYRING_.*|DBUS_.*|DOCKER_HOST|CONTAINER_HOST|CONTAINERD_.*|XDG_RUNTIME_DIR|WAYLAND_.*|DISPLAY|XAUTHORITY|SESSION_MANAGER|PULSE_SERVER|PIPEWIRE_.*|AT_SPI_BUS_ADDRESS|I3SOCK|SWAYSOCK|NOTIFY_SOCKET|TMPDIR|TMP|TEMP|TMUX|STY)$/i;

/**
 * Whether the encoding of the locale is not UTF-8. In Shift-JIS, GBK or Big5, bytes of UTF-8 text could be quotes or
 * operators for the shell. A locale without an encoding means ASCII or UTF-8.
 */
function usesForeignCharset({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return /\.(?!utf-?8(?:@|$))/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
