import type { GuardedPath } from '../plans';

/**
 * How strongly a file is protected.
 * 1: it makes other programs run code, or holds secrets: files of git and the editor, shell profiles, credentials,
 * configuration of package managers and agents.
 * 2: it decides what a build, a test or an agent does: manifests, build and test configuration, CI, project rules.
 */
export type ProtectionTier = 1 | 2;

/**
 * The tier of a path, relative or absolute, with `/` or `\`; `undefined` for an ordinary file. Compares each segment, in any
 * case. Only by name: resolve links first.
 */
export function protectionTier(path: string): ProtectionTier | undefined {
  const segments = foldedSegments(path);
  const name = segments.at(-1) ?? '';
  if (segments.some((segment) => isListed(segment, TIER_1)) || FILES_OF_TIER_1.has(name)) return 1;
  if (segments.some((segment) => isListed(segment, TIER_2)) || FILES_OF_TIER_2.has(name)) return 2;
  return undefined;
}

/** Whether a file may hold secrets, so that reading it asks. */
export function holdsSecrets(path: string): boolean {
  const segments = foldedSegments(path);
  return segments.some((segment) => isListed(segment, SECRETS)) || SECRETS_OF_GIT.test(segments.join('/'));
}

/** The two names of a path: as asked for, and with all links resolved. */
type Names = Pick<GuardedPath, 'displayPath' | 'pathInRoot'>;

/** The tier of a guarded path, by its own name and by the name of its link target. Tier 1 outside the workspace. */
export function protectionOf({ displayPath, pathInRoot }: Names): ProtectionTier | undefined {
  if (pathInRoot === null) return 1;
  const tiers = [displayPath, pathInRoot].map(protectionTier);
  if (tiers.includes(1)) return 1;
  return tiers.includes(2) ? 2 : undefined;
}

/** Whether reading a path asks: it may hold secrets by one of its names, or is outside the workspace. */
export function isReadingProtected({ displayPath, pathInRoot }: Names): boolean {
  return pathInRoot === null || holdsSecrets(displayPath) || holdsSecrets(pathInRoot);
}

interface NameList {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
}

function isListed(segment: string, { names, patterns }: NameList): boolean {
  return names.has(segment) || patterns.some((pattern) => pattern.test(segment));
}

/** The segments as tolerant file systems compare names: without case, compatibility forms and invisible characters. */
function foldedSegments(path: string): readonly string[] {
  return path
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .split(/[\\/]+/)
    .map((segment) => (/^\.+$/.test(segment) ? segment : segment.replace(/[. ]+$/, '')))
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function list(words: string, ...patterns: readonly RegExp[]): NameList {
  return { names: new Set(words.trim().split(/\s+/)), patterns };
}

const SECRETS: NameList = list(
  `.ssh .gnupg .aws .azure .kube .docker .npmrc .pypirc .netrc _netrc .git-credentials .pgpass .my.cnf .htpasswd
  credentials.json .password-store .vault-token`,
  /^\.env/,
  /^id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
);

const TIER_1: NameList = {
  names: new Set([
    ...SECRETS.names,
    ...list(`
      .git .gitconfig .gitmodules .hg .hgrc .svn
      .vscode .vscode-server .idea .fleet .zed .devcontainer .devcontainer.json
      .husky .githooks .lefthook lefthook.yml lefthook.yaml .lefthook.yml .pre-commit-config.yaml
      .vs .theia .nova .envrc .direnv
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
      .kshrc .cshrc .tcshrc .inputrc .xprofile .xinitrc config.fish profile.ps1 microsoft.powershell_profile.ps1
      .yarnrc .yarnrc.yml .yarn .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .bundle .gemrc .cargo .mvn nuget.config
      pip.conf pip.ini .condarc
      .open-agent .claude .claude.json .cursor .continue .codex .gemini .roo .kilocode .windsurf .cline .opencode .agents .mcp.json
      mcp.json .amazonq .augment .junie .trae .kiro .goose .crush .qwen .copilot .opencode.json opencode.json opencode.jsonc
    `).names,
  ]),
  patterns: [
    ...SECRETS.patterns,
    /\.code-workspace$/,
    /\.sublime-project$/,
    // Bare repositories.
    /\.git$/,
    // The short name of `.git` on Windows.
    /^git~\d+$/,
    /^\.aider/,
  ],
};

const TIER_2: NameList = list(
  `
  package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb
  deno.json deno.jsonc deno.lock lerna.json nx.json turbo.json rush.json angular.json
  pyproject.toml setup.py setup.cfg pipfile pipfile.lock poetry.lock uv.lock tox.ini noxfile.py pytest.ini conftest.py
  sitecustomize.py usercustomize.py environment.yml
  cargo.toml cargo.lock build.rs rust-toolchain rust-toolchain.toml go.mod go.sum go.work
  gemfile gemfile.lock rakefile composer.json composer.lock pom.xml gradlew gradlew.bat mvnw mvnw.cmd gradle.properties
  gradle-wrapper.properties gradle-wrapper.jar build.sbt build.xml
  makefile gnumakefile cmakelists.txt cmakepresets.json meson.build configure.ac build.bazel workspace.bazel
  module.bazel .bazelrc justfile .justfile taskfile.yml taskfile.yaml
  dockerfile containerfile vagrantfile procfile compose.yml compose.yaml flake.nix default.nix shell.nix
  global.json package.swift podfile mix.exs rebar.config stack.yaml pubspec.yaml build.zig build.zig.zon
  gulpfile.js gruntfile.js karma.conf.js
  .github .gitlab .gitlab-ci.yml .circleci .buildkite .travis.yml .drone.yml .woodpecker .woodpecker.yml .ci
  azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml .appveyor.yml jenkinsfile cloudbuild.yaml
  agents.md agent.md claude.md claude.local.md gemini.md .cursorrules .windsurfrules .clinerules .roorules .goosehints
  copilot-instructions.md .gitattributes .gitignore
  .tool-versions mise.toml .mise.toml .nvmrc .node-version .python-version .ruby-version
  `,
  /^requirements.*\.(txt|in)$/,
  /^(docker-)?compose\..*ya?ml$/,
  /^docker-compose/,
  /^dockerfile\./,
  /^[jt]sconfig.*\.json$/,
  /\.config\.(json|[cm]?[jt]s)$/,
  /^\.(eslintrc|prettierrc|babelrc|mocharc|swcrc|stylelintrc|lintstagedrc|nycrc|oxlintrc|huskyrc|postcssrc|releaserc)/,
  /^(gulpfile|gruntfile|jakefile)\./,
  /\.(gradle|gradle\.kts|mk|cmake|gemspec|cabal|csproj|fsproj|vbproj|vcxproj|sln|slnx|props|targets|podspec)$/,
);

/** Files with the addresses of remotes, which may contain passwords. */
const SECRETS_OF_GIT = /(?:^|\/)\.git\/(?:.*\/)?(?:config|config\.worktree|fetch_head)$/;

/** A HEAD file can turn its folder into a bare repository, whose configuration git then follows. */
const FILES_OF_TIER_1: ReadonlySet<string> = new Set(['head']);

/** Names that are ordinary for folders. */
const FILES_OF_TIER_2: ReadonlySet<string> = new Set(['build', 'workspace', 'configure']);
