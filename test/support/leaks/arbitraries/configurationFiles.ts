import * as fc from 'fast-check';
import { markedFiles } from '../files';
import type { LeakCall } from '../leakCase';
import { edit, list, read, run, search, write } from '../seeds/seed';
import { contentOf, type CustomFile } from './customFiles';
import { pathText, WORLD } from './paths';

/** Folders that a `.code-workspace` file can open together: beside each other, in each other, and with secrets. */
const FOLDERS = [
  ...[['ws'], ['ws', 'second'], ['second', 'ws'], ['ws', 'ws/sub'], ['ws/src', 'ws']],
  ...[
    ['ws', 'home/.aws'],
    ['ws/.git', 'ws/src'],
    ['ws', 'ws/.ssh', 'ws/.git'],
  ],
];

/** Files with which a workspace sets up editors and agents, by the form of their text. */
const NAMES = {
  mcp: ['.vscode/mcp.json', '.roo/mcp.json', '.mcp.json', '.continue/mcpServers/a.json', '.cursor/mcp.json'],
  settings: ['.vscode/settings.json'],
  tasks: ['.vscode/tasks.json', '.vscode/launch.json'],
  workspace: ['x.code-workspace', 'team/y.code-workspace'],
  modes: ['.roomodes', '.continue/models/a.yaml'],
  rules: ['.clinerules', '.clinerules/a.md', '.roorules', '.roo/rules/a.md', '.continue/rules/a.md', 'AGENTS.md'],
} as const;

type Form = keyof typeof NAMES;

const secretNames = markedFiles.filter(({ kind }) => kind === 'protected').map(({ path }) => path);
/** Links to what reads as rules or as settings. */
const targets = fc.oneof(pathText(), fc.constantFrom('.ssh/skill.md', '../outside/skill.md', '.env', '../second/.env'));

const program = fc.oneof(
  fc.constantFrom(`${WORLD}/bin/evil`, 'evil', 'npx', './do.sh', 'ws/do.sh', '${workspaceFolder}/do.sh', 'sh'),
  pathText(),
);
const argument = fc.oneof(
  pathText(),
  pathText().map((path) => `@${path}`),
  fc.constantFrom('-c', `cat ${WORLD}/ws/.env > ${WORLD}/ws/new.txt`, '${env:OPENAI_API_KEY}', '${userHome}/.ssh/id'),
);
const words = fc.array(argument, { maxLength: 3 });

const server = fc.oneof(
  fc.record(
    {
      command: program,
      args: words,
      cwd: pathText(),
      envFile: pathText(),
      env: fc.constantFrom({ A: '${env:OPENAI_API_KEY}' }, { LD_PRELOAD: `${WORLD}/ws/a.so` }, {}),
    },
    { requiredKeys: ['command'] },
  ),
  fc.record({ url: pathText().map((path) => `http://127.0.0.1:9/${path}`), headers: fc.constant({ A: '${input:a}' }) }),
);

/** Rules that would allow all, and rules that restrict what is there. */
const rule = fc.oneof(
  fc.constantFrom(
    'cat *',
    'sh *',
    '*',
    'edit:**',
    'tool:*',
    'edit:/../**',
    'tool:write_file',
    'git *',
    '{a,b}'.repeat(30),
  ),
  pathText().map((path) => `edit:${path}`),
  pathText().map((path) => `cat ${path}`),
);
const rules = fc.array(rule, { maxLength: 3 });

const settings = fc.record(
  {
    'openAgent.workspaceRules.allow': rules,
    'openAgent.workspaceRules.ask': rules,
    'openAgent.workspaceRules.deny': rules,
    'openAgent.rules.allow': rules,
    'openAgent.permissionMode': fc.constantFrom('acceptEdits', 'sandbox'),
    'openAgent.commandEnvironment': fc.constant(['*']),
    'openAgent.baseUrl': fc.constant('http://127.0.0.1:9/v1'),
    'openAgent.systemPrompt': argument,
    'openAgent.mcpServers': fc.dictionary(fc.constantFrom('a', 'b'), server),
    'git.path': program,
    'files.associations': fc.constant({ '*.env': 'plaintext' }),
  },
  { requiredKeys: [] },
);

const task = fc.record({
  label: argument,
  type: fc.constantFrom('shell', 'process', 'npm'),
  command: program,
  args: words,
  group: fc.constantFrom('test', 'build'),
  runOptions: fc.constant({ runOn: 'folderOpen' }),
  preLaunchTask: argument,
});
const tasks = fc.array(task, { maxLength: 2 }).map((all) => ({ version: '2.0.0', tasks: all, configurations: all }));
const folders = fc.array(pathText(), { maxLength: 3 }).map((paths) => paths.map((path) => ({ path, name: 'src' })));

const mode = fc.record({ slug: argument, name: argument, roleDefinition: argument, customInstructions: argument });
const model = fc.record({ name: argument, provider: fc.constant('openai'), model: argument, apiBase: argument });

const TEXTS: Readonly<Record<Form, fc.Arbitrary<string>>> = {
  mcp: fc
    .dictionary(fc.constantFrom('a', '../.env', 'curious'), server)
    .map(asJson((all) => ({ mcpServers: all, servers: all }))),
  settings: settings.map(asJson((all) => all)),
  tasks: tasks.map(asJson((all) => all)),
  workspace: fc.record({ folders, settings, tasks, launch: tasks }).map(asJson((all) => all)),
  modes: fc
    .record({ customModes: fc.array(mode, { maxLength: 2 }), models: fc.array(model, { maxLength: 2 }) })
    .map(asJson((all) => all)),
  rules: fc.array(argument, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
};

function asJson<T>(shape: (value: T) => object): (value: T) => string {
  return (value) => JSON.stringify(shape(value), undefined, 2);
}

/** Opened folders, with one to five such files in them. */
export interface ConfiguredFolders {
  readonly folders: readonly string[];
  readonly files: readonly CustomFile[];
}

export function configuredFolders(): fc.Arbitrary<ConfiguredFolders> {
  return fc.constantFrom(...FOLDERS).chain((opened) => {
    // Hard links to files outside are not found. What is below `.git` and the like counts as outside.
    const used = opened.filter((folder) => !folder.includes('/.'));
    const inside = secretNames.filter((name) => used.some((folder) => name.startsWith(`${folder}/`)));
    const content = fc.constantFrom(...(Object.keys(NAMES) as Form[])).chain((form) =>
      fc.record({
        name: fc.constantFrom(...NAMES[form]),
        content: contentOf(targets, TEXTS[form], fc.constantFrom(...inside)),
      }),
    );
    const file = fc
      .tuple(fc.constantFrom(...opened), content)
      .map(([folder, { name, content: made }]) => ({ name: `${folder}/${name}`, ...made }) as CustomFile);
    const files = fc.uniqueArray(file, { minLength: 1, maxLength: 5, selector: ({ name }) => name });
    return files.map((all) => ({ folders: opened, files: together(all, opened) }));
  });
}

/** Without files that cannot be there beside the others. An opened folder becomes no link: the person opens its target then. */
function together(files: readonly CustomFile[], opened: readonly string[]): readonly CustomFile[] {
  const folderOf = ({ name }: CustomFile): string => name.slice(0, name.lastIndexOf('/'));
  const possible = files.filter((file) => file.kind !== 'linked folder' || !opened.includes(folderOf(file)));
  const linked = possible.filter(({ kind }) => kind === 'linked folder');
  return possible.filter(
    (file) =>
      !linked.some((other) => other !== file && file.name.startsWith(`${folderOf(other)}/`)) &&
      !possible.some((other) => other.name.startsWith(`${file.name}/`)),
  );
}

/** A call about such a file, by its name in each folder, or about another one. */
export function configurationCall(): fc.Arbitrary<LeakCall> {
  const prefix = fc.constantFrom(
    '',
    '',
    'ws/',
    'second/',
    'sub/',
    'docs/',
    'docs/',
    'docs-2/',
    '../second/',
    `${WORLD}/second/`,
  );
  const name = fc.oneof(
    fc.constantFrom(
      ...Object.values(NAMES).flat(),
      ...['credentials', 'config', 'hooks/pre-commit', 'hooks/pre-push', 'photo.png', 'skill.md'],
      '.env',
      'keys/id_ed25519',
      'b.txt',
      '.',
      '.vscode',
      '.roo',
    ),
    pathText(),
  );
  const target = fc.tuple(prefix, name).map(([folder, file]) => folder + file);
  const content = fc.oneof(...Object.values(TEXTS));
  return fc.oneof(
    target.map((path) => read(path)),
    target.map((path) => list(path)),
    target.map((path) => search('TOKEN', { path })),
    target.map((path) => edit(path, 'TOKEN=')),
    fc.tuple(target, content).map(([path, text]) => write(path, text)),
    fc
      .tuple(fc.constantFrom('cat', 'ls -a', 'grep -r TOKEN', 'head', 'wc', 'find', 'jq .'), target)
      .map(([command, path]) => run(`${command} '${path}'`)),
  );
}
