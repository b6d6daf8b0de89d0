/** What a command checks. `checks`: several things, such as `make check`. */
export type CheckKind = 'tests' | 'type check' | 'lint' | 'build' | 'checks';

/** A script that a runner looks up in a file of the project. */
export interface ScriptCall {
  /** The files that may hold it, the first that exists counts. */
  readonly files: readonly ScriptFile[];
  readonly name: string;
}

export type ScriptFile = 'package.json' | 'composer.json' | 'deno.json' | 'pyproject.toml' | 'Makefile' | 'justfile';

/** What a program call is for: a known check, a script of the project, or neither. `argv`: its name first. */
export function readCall(argv: readonly string[]): CheckKind | ScriptCall | undefined {
  const [program = '', ...words] = withoutWrappers(argv);
  const name = programName(program);
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const script = scriptCall(name, first, second);
  if (script) return script;
  const line = [name, ...words].join(' ');
  return KINDS.find(([pattern]) => pattern.test(line))?.[1];
}

/** What the name of a script says, such as `test:unit` or `type-check`. */
export function kindOfName(name: string): CheckKind | undefined {
  if (/type-?_?check|^types$|(?:^|[:._-])(?:tsc|types|mypy)(?:$|[:._-])/i.test(name)) return 'type check';
  const parts = name.toLowerCase().split(/[:._-]/);
  return NAMES.find(([names]) => parts.some((part) => names.includes(part)))?.[1];
}

const NAMES: readonly (readonly [readonly string[], CheckKind])[] = [
  [['test', 'tests', 'spec', 'specs', 'e2e', 'unit', 't', 'tst', 'coverage'], 'tests'],
  [['lint', 'eslint', 'clippy'], 'lint'],
  [['build', 'compile', 'bundle'], 'build'],
  [['check', 'checks', 'verify', 'validate', 'ci'], 'checks'],
];

/** The name of the program and its words, joined by blanks. */
const KINDS: readonly (readonly [RegExp, CheckKind])[] = [
  [
    /^(?:jest|vitest|mocha|ava|tap|jasmine|karma|pytest|py\.test|tox|nox|nose2|unittest|rspec|phpunit|pest|ctest)\b/,
    'tests',
  ],
  [/^(?:node|node\.exe)\b.* --test\b/, 'tests'],
  [/^(?:playwright test|cypress run|gotestsum)\b/, 'tests'],
  [/^(?:deno|bun|go|dotnet|swift|mix|zig|flutter|dart|bazel|nx|turbo|stack|cabal|sbt) (?:run )?test\b/, 'tests'],
  [/^cargo (?:\+\S+ )?(?:test|t|nextest)\b/, 'tests'],
  [/^(?:mvn|mvnw)\b.* (?:test|verify)\b/, 'tests'],
  [/^(?:gradle|gradlew)\b.*\b(?:test|check)\b/i, 'tests'],
  [/^rake (?:test|spec)\b/, 'tests'],
  [/^(?:tsc|vue-tsc|svelte-check|mypy|pyright|basedpyright|pyre|psalm|phpstan)\b/, 'type check'],
  [/^(?:cargo (?:\+\S+ )?(?:check|c)|deno check|dart analyze|flutter analyze|flow check)\b/, 'type check'],
  [
    /^(?:eslint|oxlint|stylelint|tslint|flake8|pylint|rubocop|shellcheck|hadolint|ktlint|golangci-lint|swiftlint)\b/,
    'lint',
  ],
  [/^(?:markdownlint|markdownlint-cli2|yamllint|credo|biome (?:check|lint|ci)|ruff check)\b/, 'lint'],
  [/^(?:cargo (?:\+\S+ )?clippy|go vet|(?:prettier|black|isort)\b.* (?:--check|-c))\b/, 'lint'],
  [
    /^(?:go|cargo|dotnet|swift|zig|vite|next|nuxt|astro|bazel|nx|turbo|stack|cabal|deno|bun|docker) (?:\+\S+ )?build\b/,
    'build',
  ],
  [
    /^(?:cmake\b.* --build|mix compile|sbt compile|webpack|rollup|esbuild|tsup|ninja|msbuild|javac|xcodebuild)\b/,
    'build',
  ],
  [/^(?:mvn|mvnw|gradle|gradlew)\b.*\b(?:compile|package|install|build|assemble)\b/i, 'build'],
];

/** Programs that run the rest of their words, with the words of their own. */
const WRAPPERS: readonly RegExp[] = [
  /^(?:env|time|nice|command|exec|xvfb-run|cross-env|dotenv|timeout \S+)$/,
  /^(?:npx|bunx|pnpx)$/,
  /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)$/,
  /^(?:uv|poetry|pdm|pipenv|rye|hatch) run$/,
  /^(?:bundle|composer) exec$/,
  /^(?:python[\d.]*|py) -m$/,
];

function withoutWrappers(argv: readonly string[]): readonly string[] {
  let words = argv.slice(0, MAX_WORDS);
  for (;;) {
    // Assignments before the program, and options of a wrapper.
    while (words.length > 1 && /^\w+=/.test(words[0] ?? '')) words = words.slice(1);
    const name = programName(words[0] ?? '');
    const length = [1, 2].find((count) =>
      WRAPPERS.some((wrapper) => wrapper.test([name, ...words.slice(1, count)].join(' '))),
    );
    if (length === undefined || words.length <= length) return words;
    words = words.slice(length);
    while (words.length > 1 && words[0]?.startsWith('-')) words = words.slice(1);
  }
}

const MAX_WORDS = 100;

/** Of a path as well, on every system. */
function programName(program: string): string {
  const name = program.split(/[\\/]/).at(-1) ?? '';
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, '');
}

function scriptCall(name: string, first: string, second: string): ScriptCall | undefined {
  switch (name) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun': {
      const isRun = first === 'run' || first === 'run-script' || first === 'rum';
      const script = isRun ? second : first === 't' || first === 'tst' ? 'test' : first;
      if (script === '' || (!isRun && name === 'bun')) return undefined;
      return { files: ['package.json'], name: script };
    }
    case 'make':
    case 'gmake':
      return { files: ['Makefile'], name: first === '' ? 'build' : first };
    case 'just':
      return first === '' ? undefined : { files: ['justfile'], name: first };
    case 'composer':
      return { files: ['composer.json'], name: first === 'run' || first === 'run-script' ? second : first };
    case 'deno':
      return first === 'task' ? { files: ['deno.json'], name: second } : undefined;
    case 'poe':
    case 'task':
    case 'hatch':
    case 'pdm':
      return first === '' ? undefined : { files: ['pyproject.toml'], name: first.split(':').at(-1) ?? first };
    default:
      return undefined;
  }
}
