/** An entry of the package: what one `import` gives. */
export interface Entry {
  /** After the name of the package: `.` or `./mcp`. */
  readonly path: string;
  /** The name of the built file. */
  readonly name: string;
  readonly source: string;
}

/** The fields of the project's package.json that the package shares. */
export interface ProjectManifest {
  readonly version: string;
  readonly license: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly engines: { readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The package.json of the package. */
export function manifestOf(project: ProjectManifest, entries: readonly Entry[]): object {
  const { version, license, repository, engines, devDependencies } = project;
  return {
    name: 'open-agent-sdk',
    version,
    description: 'Agents for models you run yourself: streaming, tools, hooks, sessions and context management.',
    keywords: ['agent', 'llm', 'local llm', 'tool calling', 'openai-compatible', 'llama.cpp', 'ollama', 'vllm'],
    license,
    repository: { ...repository, url: `git+${repository.url}`, directory: 'src/sdk' },
    engines: { node: engines.node },
    type: 'module',
    sideEffects: false,
    main: './cjs/index.js',
    types: typesOf('cjs', entries[0] as Entry),
    exports: {
      ...Object.fromEntries(
        entries.map((entry) => [
          entry.path,
          {
            import: { types: typesOf('esm', entry), default: `./esm/${entry.name}.js` },
            require: { types: typesOf('cjs', entry), default: `./cjs/${entry.name}.js` },
          },
        ]),
      ),
      './package.json': './package.json',
    },
    dependencies: { openai: devDependencies['openai'] },
    // For the types of tools. The package has a zod of its own for its own checks.
    peerDependencies: { zod: '^3.25.0 || ^4.0.0' },
    peerDependenciesMeta: { zod: { optional: true } },
  };
}

function typesOf(format: 'esm' | 'cjs', entry: Entry): string {
  return `./${format}/types/${declarationOf(entry)}`;
}

/** The package.json of a folder with the name of an entry, for compilers that do not read `exports`. */
export function folderManifestOf(entry: Entry): object {
  return { main: `../cjs/${entry.name}.js`, types: `.${typesOf('cjs', entry)}` };
}

/** The declaration of an entry, in the folder of all declarations. */
export function declarationOf({ source }: Entry): string {
  return source.replace(/^src\/(.*)\.ts$/, '$1.d.ts');
}
