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
      return fromRules(text, name);
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

/** The recipe of a rule, and the recipes of the rules that it needs. */
function fromRules(text: string, name: string, depth = 0): readonly string[] {
  const lines = text.split('\n');
  const start = lines.findIndex(
    (line) => /^[\w.-]/.test(line) && line.split(/[:\s]/)[0] === name && line.includes(':'),
  );
  if (start < 0) return [];
  const needed = (lines[start]?.split(':').at(-1) ?? '').split(/\s+/).filter((word) => word !== '' && word !== name);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && !/^\s/.test(line));
  const recipe = rest.slice(0, end < 0 ? undefined : end).map((line) => line.trim().replace(/^[@-]+/, ''));
  const others =
    depth < MAX_DEPTH ? needed.slice(0, MAX_NEEDED).flatMap((rule) => fromRules(text, rule, depth + 1)) : [];
  return [...others, ...recipe.filter((line) => line !== '' && !line.startsWith('#'))];
}

const MAX_DEPTH = 2;
const MAX_NEEDED = 10;
