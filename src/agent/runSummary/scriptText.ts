import * as z from 'zod';
import type { ScriptFile } from './checkKind';

const Scripts = z.record(z.string(), z.unknown());
const PackageFile = z.object({ scripts: Scripts.catch({}).default({}), tasks: Scripts.catch({}).default({}) });

/** The commands of a script, as written in the project's file. Empty: it is not there, or the file cannot be read. */
export function scriptText(file: ScriptFile, text: string, name: string): readonly string[] {
  switch (file) {
    case 'package.json':
    case 'composer.json':
    case 'deno.json':
      return fromJson(text, name);
    case 'pyproject.toml':
      return fromToml(text, name);
    case 'Makefile':
    case 'justfile':
      return fromRules(rulesOf(text.split('\n')), name);
    default:
      return file satisfies never;
  }
}

function fromJson(text: string, name: string): readonly string[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const parsed = PackageFile.safeParse(json);
  if (!parsed.success) return [];
  const { scripts, tasks } = parsed.data;
  const found = Object.hasOwn(scripts, name) ? scripts[name] : Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  const lines = Array.isArray(found) ? found : [found];
  return lines.filter((line) => typeof line === 'string');
}

/** The tasks of poe, taskipy, PDM, Rye and Hatch: a name with a text or a list of texts. */
function fromToml(text: string, name: string): readonly string[] {
  let isTasks = false;
  for (const line of text.split('\n')) {
    const section = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (section !== undefined) isTasks = TASKS.test(section);
    const [, key, value = ''] = /^\s*["']?([\w:.-]+)["']?\s*=\s*(.+)$/.exec(line) ?? [];
    if (isTasks && key === name) return [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? '');
  }
  return [];
}

const TASKS = /^tool\.(?:poe\.tasks|taskipy\.tasks|pdm\.scripts|rye\.scripts|hatch\.envs\..+\.scripts)$/;

interface Rule {
  readonly needed: readonly string[];
  readonly recipe: string[];
}

/** The rules of a file by name; the first of a name counts. */
function rulesOf(lines: readonly string[]): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  let recipe: string[] | undefined;
  for (const line of lines) {
    const [name = ''] = /^[\w.-]/.test(line) && line.includes(':') ? line.split(/[:\s]/, 1) : [];
    if (name !== '') {
      const needed = line.slice(line.lastIndexOf(':') + 1);
      const rule: Rule = { needed: needed.split(/\s+/).filter((word) => word !== '' && word !== name), recipe: [] };
      if (!rules.has(name)) rules.set(name, rule);
      ({ recipe } = rule);
    } else if (/^\s/.test(line)) {
      const call = line.trim().replace(/^[@-]+/, '');
      if (call !== '' && !call.startsWith('#')) recipe?.push(call);
    } else if (line !== '') {
      recipe = undefined;
    }
  }
  return rules;
}

/** The recipe of a rule, and the recipes of the rules that it needs. */
function fromRules(rules: ReadonlyMap<string, Rule>, name: string, depth = 0): readonly string[] {
  const rule = rules.get(name);
  if (!rule) return [];
  const needed = depth < MAX_DEPTH ? rule.needed.slice(0, MAX_NEEDED) : [];
  return [...needed.flatMap((other) => fromRules(rules, other, depth + 1)), ...rule.recipe];
}

const MAX_DEPTH = 2;
const MAX_NEEDED = 10;
