/** The words by which a call installs software. `undefined`: it does not. */
export function installs([name = '', ...words]: readonly string[]): readonly string[] | undefined {
  // `python -m pip install`, `uv pip install`.
  const pip = words.findIndex((word) => /^pip[\d.]*$/.test(word));
  if (pip >= 0 && /^(?:python[\d.]*|py|uv)$/.test(name)) return installs(words.slice(pip));
  const operands = words.filter((word) => !/^[-/]\w/.test(word) || /^-S|^--install/.test(word));
  const rule = INSTALLING.find(({ names }) => names.test(name));
  if (!rule) return undefined;
  const command = operands.find((word) => rule.commands.test(word));
  if (command !== undefined) return [name, command];
  return rule.isBare && operands.length === 0 ? [name] : undefined;
}

interface InstallRule {
  readonly names: RegExp;
  readonly commands: RegExp;
  /** It installs without a command too. */
  readonly isBare?: boolean | undefined;
}

const INSTALLING: readonly InstallRule[] = [
  { names: /^yarn$/, commands: /^(?:install|add|upgrade|up|link|import)$/, isBare: true },
  {
    names: /^(?:npm|pnpm|bun|cnpm)$/,
    commands: /^(?:i|in|ins|inst|install|add|ci|it|update|up|upgrade|link|rebuild|install-test|clean-install)$/,
  },
  {
    names: /^(?:pip[\d.]*|pipx|conda|mamba|micromamba|poetry|pdm|rye|uv)$/,
    commands: /^(?:install|add|sync|update|upgrade|inject)$/,
  },
  {
    names:
      /^(?:apt|apt-get|aptitude|dnf|yum|zypper|apk|brew|port|snap|flatpak|choco|winget|scoop|nix-env|emerge|opkg)$/,
    commands: /^(?:install|add|upgrade|dist-upgrade|full-upgrade|update|reinstall|--install|-i)$/,
  },
  { names: /^(?:pacman|yay|paru)$/, commands: /^-S|^-U/ },
  { names: /^(?:dpkg|rpm)$/, commands: /^(?:-i|-U|--install)/ },
  {
    names:
      /^(?:cargo|gem|bundle|bundler|composer|go|rustup|luarocks|cpan|cpanm|opam|stack|cabal|mix|nuget|helm|asdf|mise|nvm|fnm|volta|sdk|code|codium|cursor|make|ninja|cmake|meson)$/,
    commands: /^(?:install|add|require|update|get|--install(?:-extension)?)$/,
  },
  { names: /^dotnet$/, commands: /^(?:tool|restore|workload)$/ },
  {
    names: /^(?:install-module|install-package|install-script|add-appxpackage|msiexec|installer)$/,
    commands: /^/,
    isBare: true,
  },
];

/** The words by which a call downloads a package and runs it. `undefined`: it does not. */
export function runsDownloads([name = '', ...words]: readonly string[]): readonly string[] | undefined {
  if (name === 'bunx' || name === 'uvx' || name === 'pnpx') return [name];
  if (name === 'npx') {
    const word = words.find((one) => /^(?:-y|--yes|-p|--package.*)$/.test(one) || /^[@\w][^@]*@/.test(one));
    return word === undefined ? undefined : [name, word];
  }
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  if (RUNNING[name]?.test(first)) return [name, first];
  const remote = words.find((word) => /^https?:\/\//.test(word) || /^[\w.-]+\.[a-z]+\/\S+@/.test(word));
  return remote !== undefined && /^(?:deno|go|bash|sh|pwsh|powershell)$/.test(name) ? [name, remote] : undefined;
}

const RUNNING: Readonly<Record<string, RegExp>> = {
  pnpm: /^(?:dlx|create)$/,
  yarn: /^(?:dlx|create)$/,
  npm: /^(?:init|create)$/,
  pipx: /^run$/,
  uv: /^tool$/,
  docker: /^run$/,
  podman: /^run$/,
};
