/**
 * The names of protected files and folders, in lower case, grouped by reason. Facts only, taken from lists that others keep:
 * - secrets: the signatures of the scanners gitrob and shhgit, and the ignore lists of Terraform projects;
 * - files that run code or configure what runs: the `filenames` of GitHub's linguist.
 * Names that no list has come from the documentation of their tools.
 * Left out on purpose: names that are mostly ordinary source, such as `settings.py`, `config.php` and `*.sql`.
 */

export interface NameList {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly RegExp[];
}

function list(words: string, ...patterns: readonly RegExp[]): NameList {
  return { names: new Set(words.trim().split(/\s+/)), patterns };
}

function join(...lists: readonly NameList[]): NameList {
  return {
    names: new Set(lists.flatMap(({ names }) => [...names])),
    patterns: lists.flatMap(({ patterns }) => patterns),
  };
}

function without({ names, patterns }: NameList, left: NameList): NameList {
  return { names: new Set([...names].filter((name) => !left.names.has(name))), patterns };
}

const KEYS = list(
  '.ssh .gnupg .password-store otr.private_key key3.db key4.db logins.json',
  /^id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^(id_.+_sk|ssh_host_.+_key)$/,
  /\.(pem|key|keypair|p8|p12|pfx|pkcs8|pkcs12|ppk|pvk|keytab|ovpn|tblk|mobileprovision)$/,
  /\.(jks|jceks|bks|keystore|keyring|keychain|keychain-db|agilekeychain|kwallet|kdbx?|psafe3|bek|fve)$/,
);

const ENVIRONMENTS = list(
  '.flaskenv .dev.vars .renviron',
  /^\.env/,
  /\.env(\.(local|ci|dev|development|test|testing|stag(e|ing)|prod|production|bak|backup|old))*$/,
);

const INFRASTRUCTURE = list(
  '.terraformrc terraform.rc .terraform.d .vault-token .vault_pass .vault_pass.txt .vault-password',
  /\.tfstate(\.|$)/,
  /\.tfvars(\.json)?$/,
  /\.tfrc(\.json)?$/,
  /\.tfplan$/,
);

const CREDENTIALS = list(
  `
  .aws .azure .kube .docker .dockercfg .dockerconfigjson .oci .gcloud .databrickscfg .snowsql .kaggle .boto .s3cfg .tugboat
  .npmrc .pypirc .netrc _netrc .git-credentials .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd htpasswd
  .muttrc .msmtprc .fetchmailrc .trc .curlrc _curlrc .wgetrc
  .ftpconfig sftp-config.json filezilla.xml recentservers.xml sitemanager.xml robomongo.json proftpdpasswd ventrilo_srv.ini
  dbeaver-data-sources.xml jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml secret_token.rb knife.rb
  wp-config.php localsettings.php local.settings.json rclone.conf
  `,
  /(^|[._-])(secrets?|credentials?)\.(ya?ml|json[5c]?|toml|ini|txt|csv|cfg|conf|properties|xml|plist)(\.enc)?$/,
  /(^|[._-])passwords?\.(txt|csv)$/,
  /(^|[._-])service[-_]?accounts?([-_.]?key)?([._-].*)?\.json$/,
  /^client[-_]?secrets?([._-].*)?\.json$/,
  /firebase-adminsdk.*\.json$/,
  /\.(publishsettings|cscfg|rdp)$/,
  /^\.(zhistory|rhistory|[\w-]+_history)$/,
);

/** Names of files and folders that may hold secrets. */
export const SECRETS = join(KEYS, ENVIRONMENTS, INFRASTRUCTURE, CREDENTIALS);

/** The same for files only, because folders of source have such names too. */
export const FILES_WITH_SECRETS = list('.credentials kubeconfig', /_(rsa|dsa|ecdsa|ed25519)$/, /\.kubeconfig$/);

/** Paths of files with secrets whose names alone are ordinary. */
export const PATHS_OF_SECRETS: readonly RegExp[] = [
  // The addresses of remotes may contain passwords.
  /(?:^|\/)\.git\/(?:.*\/)?(?:config|config\.worktree|fetch_head)$/,
  /(?:^|\/)\.(?:gem|cargo)\/credentials$/,
  /(?:^|\/)\.m2\/settings(?:-security)?\.xml$/,
  /(?:^|\/)\.gradle\/gradle\.properties$/,
  /(?:^|\/)\.composer\/auth\.json$/,
  /(?:^|\/)\.config\/(?:gcloud|gh|hub|doctl|rclone)(?:\/|$)/,
  /(?:^|\/)\.vscode\/sftp\.json$/,
];

const VERSION_CONTROL = list(
  `
  .git .gitconfig .tgitconfig .gitmodules .hg .hgrc .svn .jj .bzr
  .husky .githooks .lefthook .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml
  captainhook.json grumphp.yml
  `,
  /^\.?lefthook(-local)?\.(ya?ml|toml|json)$/,
  /^\.?simple-git-hooks\./,
  // Bare repositories.
  /\.git$/,
  // The short name of `.git` on Windows.
  /^git~\d+$/,
);

/** They run code, or name programs, as soon as a folder is opened. */
const EDITORS = list(
  `
  .vscode .vscode-server .idea .fleet .zed .devcontainer .devcontainer.json .vs .theia .nova nbproject
  .project .classpath .cproject .vimspector.json
  .vim .vimrc _vimrc .gvimrc .nvimrc .exrc .lvimrc .emacs .emacs.d _emacs .spacemacs .dir-locals.el .dir-locals-2.el
  .gdbinit .lldbinit
  `,
  /\.code-workspace$/,
  /\.sublime-(project|build)$/,
  /\.(iml|ipr)$/,
);

const SHELLS = list(`
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_functions .profile .login .aliases .exports .functions .extra
  .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .inputrc .xprofile .xinitrc .xsession .xsessionrc
  config.fish profile.ps1 microsoft.powershell_profile.ps1 .envrc .direnv .autoenv .autoenv.zsh .tmux.conf .screenrc
  .irbrc .pryrc .pythonrc .pythonrc.py .rprofile .psqlrc .sqliterc
`);

const PACKAGE_MANAGERS = list(`
  .yarnrc .yarnrc.yml .yarn .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .pnpmfile.mjs bunfig.toml .bundle .gemrc .cargo .mvn nuget.config
  pip.conf pip.ini .pydistutils.cfg .condarc
`);

const AGENTS = list(
  `
  .open-agent .claude .claude.json .cursor .continue .codex .gemini .roo .kilocode .windsurf .cline .opencode .agents .mcp.json
  mcp.json .amazonq .augment .junie .trae .kiro .goose .crush .qwen .copilot .opencode.json opencode.json opencode.jsonc
  `,
  /^\.aider/,
);

/**
 * What programs keep in a home folder: settings that they obey at their next start, and code. Somebody may open a home
 * folder.
 */
const HOMES = list(
  `
  .config .local appdata autostart launchagents launchdaemons globalstorage workspacestorage
`,
  /^application support$/,
);

/** Files and folders of tier 1. */
export const TIER_1 = join(SECRETS, VERSION_CONTROL, EDITORS, SHELLS, PACKAGE_MANAGERS, AGENTS, HOMES);

/** `yarn install` and direnv's layouts write these. They are like other dependencies: they run when somebody runs them. */
const DEPENDENCIES = list('.yarn .pnp.cjs .pnp.loader.mjs .direnv');

/**
 * Files and folders that other programs obey without being told to run something: git, editors, shells, agents, package
 * managers and version managers.
 */
export const SELF_STARTING = without(
  join(
    VERSION_CONTROL,
    EDITORS,
    SHELLS,
    PACKAGE_MANAGERS,
    AGENTS,
    list('.npmrc .tool-versions .mise .mise.toml .mise.local.toml mise.toml mise.local.toml'),
  ),
  DEPENDENCIES,
);

/** A HEAD file can turn its folder into a bare repository, whose configuration git then follows. */
export const FILES_OF_TIER_1 = join(FILES_WITH_SECRETS, list('head'));

const MANIFESTS = list(
  `
  package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb
  deno.json deno.jsonc deno.lock jsr.json lerna.json nx.json project.json turbo.json rush.json angular.json
  pyproject.toml setup.py setup.cfg pipfile pipfile.lock poetry.lock uv.lock uv.toml pdm.lock pixi.toml pixi.lock hatch.toml
  environment.yml environment.yaml conanfile.py conanfile.txt vcpkg.json
  cargo.toml cargo.lock build.rs rust-toolchain rust-toolchain.toml go.mod go.sum go.work go.work.sum
  gemfile gemfile.lock gems.rb gems.locked composer.json composer.lock pom.xml project.clj deps.edn bb.edn
  package.swift package.resolved podfile mix.exs mix.lock rebar.config rebar.lock stack.yaml cabal.project pubspec.yaml
  global.json packages.config paket.dependencies dotnet-tools.json shard.yml elm.json gleam.toml dune-project cpanfile
  appraisals berksfile brewfile puppetfile jarfile mavenfile
  `,
  /^((dev|test|docs?|ci|build|lint)[-_])?requirements.*\.(txt|in)$/,
  /^constraints.*\.txt$/,
  /\.versions\.toml$/,
  /\.(gemspec|cabal|nimble|nuspec|podspec|csproj|fsproj|vbproj|vcxproj|sqlproj|esproj|shproj)(\.user)?$/,
  /\.(sln|slnx|props|targets|xcodeproj|xcworkspace|pbxproj)$/,
);

const BUILDS = list(
  `
  makefile gnumakefile bsdmakefile makefile.pl cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build meson.options
  meson_options.txt configure.ac configure.in build.ninja xmake.lua premake5.lua build.zig build.zig.zon
  build.bazel workspace.bazel workspace.bzlmod module.bazel .bazelversion .buckconfig .gn android.bp
  sconstruct sconscript snakefile tiltfile earthfile justfile .justfile rakefile thorfile capfile guardfile dangerfile fastfile
  deliverfile snapfile steepfile cakefile slakefile phakefile emakefile rexfile vagrantfile procfile caddyfile magefile.go
  gradlew gradlew.bat mvnw mvnw.cmd gradle.properties gradle-wrapper.properties gradle-wrapper.jar maven-wrapper.properties
  maven-wrapper.jar build.sbt build.xml ant.xml ivy.xml build.sc build.mill compile_commands.json compile_flags.txt
  dockerfile containerfile compose.yml compose.yaml docker-bake.hcl flake.nix flake.lock default.nix shell.nix devenv.nix
  devenv.yaml devbox.json pkgbuild apkbuild fabfile.py dodo.py hatch_build.py sitecustomize.py usercustomize.py
  gulpfile.js gruntfile.js ember-cli-build.js dvc.yaml mkdocs.yml conf.py cdk.json skaffold.yaml
  serverless.yml wrangler.toml wrangler.json wrangler.jsonc netlify.toml vercel.json firebase.json fly.toml
  `,
  /^makefile\.(am|boot|common|dev|frag|in|inc|linux|local|pc|sco|unix|wat|win)$/,
  /^taskfile(\.dist)?\.ya?ml$/,
  /^(docker-)?compose\..*ya?ml$/,
  /^docker-compose/,
  /^(dockerfile|containerfile|procfile)\./,
  /^(gulpfile|gruntfile|jakefile|webpack)\./,
  /^jakefile$/,
  /\.(gradle|gradle\.kts|sbt|mk|cmake|bzl|gypi?|just|smk|cake|dockerfile|tiltfile|pth)$/,
);

/** Configuration of tests, linters, formatters and compilers, which load plugins and run programs. */
const TOOLS = list(
  `
  tox.ini noxfile.py pytest.ini .pytest.ini conftest.py pylintrc .flake8 mypy.ini .mypy.ini ruff.toml .ruff.toml pyrightconfig.json
  .bandit .isort.cfg .rubocop.yml .rubocop_todo.yml .rspec .simplecov .yardopts
  biome.json biome.jsonc .biome.json .biome.jsonc rome.json dprint.json .dprint.json tslint.json nodemon.json knip.json knip.jsonc
  cypress.json nightwatch.json testem.json testem.js mocha.opts browserslist api-extractor.json .storybook renovate.json renovate.json5
  .clang-format .clang-tidy .clangd .scalafmt.conf .scalafix.conf .credo.exs .formatter.exs .php_cs .php_cs.dist rector.php robofile.php
  omnisharp.json .watchmanconfig .arcconfig .arclint .htaccess .user.ini nim.cfg config.nims nextflow.config
  `,
  /^[jt]sconfig.*\.json$/,
  /\.conf(ig)?\.(json[5c]?|ya?ml|toml|[cm]?[jt]s)$/,
  /^vitest\.workspace\./,
  // Configuration of any tool: `.pylintrc`, `.eslintrc.cjs`, `.dependency-cruiser.js`.
  /^\.[a-z][\w-]+rc([._-].*)?$/,
  /^\..+\.([cm]?[jt]s|py|rb|lua|php)$/,
  /^\.(golangci|goreleaser|markdownlint|markdownlint-cli2)\./,
  /^\.?(phpunit|phpstan|psalm|phpcs)\.(xml|neon)(\.dist)?$/,
  /\.(runsettings|ruleset)$/,
);

const CONTINUOUS_INTEGRATION = list(
  `
  .github .gitlab .gitea .forgejo .circleci .buildkite .semaphore .teamcity .tekton .travis.yml .drone.yml .cirrus.yml .cirrus.star
  .woodpecker .woodpecker.yml .ci .zuul.yaml zuul.yaml bitbucket-pipelines.yml appveyor.yml .appveyor.yml codemagic.yaml
  bitrise.yml wercker.yml dagger.json .gitpod.yml .gitpod.dockerfile .replit devfile.yaml .readthedocs.yml .readthedocs.yaml
  `,
  /(^|\.)jenkinsfile(\.|$)/,
  /\.gitlab-ci\.ya?ml$/,
  /^azure-pipelines.*\.ya?ml$/,
  /^(cloudbuild|buildspec)(\..*)?\.(ya?ml|json)$/,
);

/** Rules for agents, the files that searches leave out, and the versions of tools. */
const PROJECT_RULES = list(`
  agents.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md .rules
  .cursorrules .windsurfrules .clinerules .roorules .roomodes .goosehints copilot-instructions.md
  .gitattributes .gitignore .ignore .rgignore .agignore .fdignore
  .tool-versions mise.toml .mise.toml .nvmrc .node-version .python-version .ruby-version
`);

/** Files and folders of tier 2. */
export const TIER_2 = join(MANIFESTS, BUILDS, TOOLS, CONTINUOUS_INTEGRATION, PROJECT_RULES);

/** Files of tier 2 whose names are ordinary for folders. */
export const FILES_OF_TIER_2 = list('build workspace configure buck buildfile deps dune kbuild singularity wscript');
