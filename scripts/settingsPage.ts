// `npm run docs` writes docs/settings.md from the settings in package.json and their texts in package.nls.json.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readManifest } from './manifest';
import { projectRoot } from './projectRoot';

interface Schema {
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

const scopes: Readonly<Record<string, string>> = {
  application: 'your user settings only; a workspace cannot change it',
  resource: 'user settings, workspace and folder',
  window: 'user settings and workspace',
};

/** Settings that VS Code shows under one heading: an element of `contributes.configuration`. */
interface Group {
  readonly title: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

/** The page as Markdown. */
function settingsPage(groups: readonly Group[]): string {
  return [
    '# Settings',
    '<!-- Generated from package.json by `npm run docs`. -->',
    'Settings that decide where your code goes, or what the agent may do, cannot be set by a repository.',
    'VS Code shows these texts in its display language, in English or German. _Configure Display Language_ changes it.',
    ...groups.flatMap(({ title, properties }) => [
      `## ${title}`,
      overview(properties),
      ...Object.entries(properties).map(([name, schema]) => section(name, schema)),
    ]),
  ].join('\n\n');
}

function overview(settings: Readonly<Record<string, Schema>>): string {
  const rows = Object.entries(settings).map(([name, schema]) => {
    // GitHub's heading anchors are lower case, without punctuation.
    const link = `[\`${name}\`](#${name.toLowerCase().replaceAll('.', '')})`;
    const firstSentence = /^.*?\.(?= |$)/s.exec(descriptionOf(schema))?.[0] ?? descriptionOf(schema);
    return row([link, valueOf(schema.default), firstSentence]);
  });
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function section(name: string, schema: Schema): string {
  const facts = [`Type: ${typeOf(schema)}`, `Default: ${valueOf(schema.default)}`];
  const scope = scopes[schema.scope ?? 'window'];
  if (scope === undefined) throw new Error(`${name} has the scope ${schema.scope}, which the page cannot describe.`);
  const item =
    schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  return [
    `### \`${name}\``,
    descriptionOf(schema),
    `${facts.join('. ')}. Set in: ${scope}.`,
    ...enumList(schema),
    ...(item?.properties ? [fieldTable(item)] : []),
  ].join('\n\n');
}

function typeOf({ type, minimum, maximum }: Schema): string {
  const types = [type ?? 'any'].flat().map((name) => `\`${name}\``);
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return [types.join(' or '), ...limits].join(', ');
}

function valueOf(value: unknown): string {
  return value === '' ? 'empty' : `\`${JSON.stringify(value)}\``;
}

function descriptionOf(schema: Schema): string {
  // VS Code shows `#setting#` as a link to that setting, and runs commands.
  return (schema.markdownDescription ?? schema.description ?? '')
    .replaceAll(/`#([\w.]+)#`/g, '`$1`')
    .replaceAll(/\[([^\]]+)\]\(command:[\w.]+\)/g, '_Open Agent: $1_');
}

function enumList(schema: Schema): readonly string[] {
  if (schema.enum === undefined) return [];
  return [schema.enum.map((value, at) => `- \`${value}\`: ${schema.enumDescriptions?.[at] ?? ''}`).join('\n')];
}

function fieldTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, field]) => {
    const needed = required.includes(name) ? ', required' : '';
    const values = field.enum ? ` One of ${field.enum.map((value) => `\`${value}\``).join(', ')}.` : '';
    return row([`\`${name}\``, typeOf(field) + needed, descriptionOf(field) + values]);
  });
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The expected content of `docs/settings.md`, formatted like the other documents. */
export async function currentSettingsPage(): Promise<string> {
  const manifest = readManifest() as {
    readonly contributes: { readonly configuration: readonly Group[] };
  };
  const prettier = await import('prettier');
  const file = path.join(projectRoot, 'docs/settings.md');
  const options = await prettier.resolveConfig(file);
  return prettier.format(settingsPage(manifest.contributes.configuration), { ...options, filepath: file });
}

async function main(): Promise<void> {
  try {
    parseArgs({ options: {} });
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm run docs`);
    process.exit(2);
  }
  writeFileSync(path.join(projectRoot, 'docs/settings.md'), await currentSettingsPage());
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) void main();
