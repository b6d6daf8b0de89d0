import { execFileSync } from 'node:child_process';
import { link, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { markedFiles } from '../files';
import type { LeakCall } from '../leakCase';
import type { LeakWorld } from '../world';
import { pathText, WORLD } from './paths';

/** A file that is sent without being named: instructions, a skill or a prompt file. Plain data with `<world>` for the world's folder. */
export type CustomFile = {
  /** Its path in the world. */
  readonly name: string;
} & (
  | { readonly kind: 'link'; readonly target: string }
  /** To a file of the workspace; `target` is a path in the world. */
  | { readonly kind: 'hard link'; readonly target: string }
  /** A link in a folder of links: the name leads through both. */
  | { readonly kind: 'two links'; readonly target: string }
  /** Its folder is a link. */
  | { readonly kind: 'linked folder'; readonly target: string }
  | { readonly kind: 'folder' | 'pipe' | 'huge file' }
  | { readonly kind: 'text'; readonly text: string }
);

const ofWorkspace = markedFiles.filter(({ kind }) => kind === 'protected').map(({ path: name }) => name);

const NAMES = [
  ...[
    'AGENTS.md',
    'CLAUDE.md',
    '.github/copilot-instructions.md',
    '.cursorrules',
    'src/AGENTS.md',
    'src/deep/AGENTS.md',
  ],
  ...['.github/skills/s/SKILL.md', '.claude/skills/s/SKILL.md', '.agents/skills/s/SKILL.md'],
  '.github/prompts/p.prompt.md',
].map((name) => `ws/${name}`);
const OWN_NAMES = ['skills/s/SKILL.md', 'prompts/p.prompt.md'].map((name) => `home/.open-agent/${name}`);

/** Files that read as a skill and as a prompt. */
const skills = ['../outside/skill.md', '.ssh/skill.md', `${WORLD}/outside/skill.md`];
/** The person may link to other folders from their own, but secrets are never read. */
const forOwn = [`${WORLD}/ws/.ssh/skill.md`, `${WORLD}/home/.ssh/id_ed25519`, `${WORLD}/ws/.env`];

function textOfCustomFile(): fc.Arbitrary<string> {
  const inclusion = fc.constantFrom<(name: string) => string>(
    (name) => `@${name}`,
    (name) => `{{include ${name}}}`,
    (name) => `![x](${name})`,
    (name) => `<file src="${name}">`,
    (name) => '```\n@' + name,
    (name) => `@"${name}"`,
    (name) =>
      `---\nname: s\ndescription: "@${name}"\ntools: ["*"]\nmodel: evil\n---\n@${name} \${file} \${input:a:@${name}}`,
  );
  const line = fc.tuple(inclusion, pathText()).map(([include, name]) => include(name));
  return fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));
}

/** A file of this text, or something else in its place. */
export function contentOf(
  targets: fc.Arbitrary<string>,
  text: fc.Arbitrary<string>,
  hardLinked: fc.Arbitrary<string> = fc.constantFrom(...ofWorkspace),
): fc.Arbitrary<Omit<CustomFile, 'name'>> {
  return fc.oneof(
    { weight: 5, arbitrary: targets.map((target) => ({ kind: 'link' as const, target })) },
    { weight: 2, arbitrary: hardLinked.map((target) => ({ kind: 'hard link' as const, target })) },
    { weight: 2, arbitrary: targets.map((target) => ({ kind: 'two links' as const, target })) },
    { weight: 1, arbitrary: targets.map((target) => ({ kind: 'linked folder' as const, target })) },
    { weight: 2, arbitrary: text.map((written) => ({ kind: 'text' as const, text: written })) },
    { weight: 2, arbitrary: fc.constantFrom('folder', 'pipe', 'huge file').map((kind) => ({ kind }) as const) },
  );
}

/** One to three such files. */
export function customFiles(): fc.Arbitrary<readonly CustomFile[]> {
  const targets = fc.oneof({ weight: 2, arbitrary: pathText() }, { weight: 3, arbitrary: fc.constantFrom(...skills) });
  const ofProject = fc.tuple(fc.constantFrom(...NAMES), contentOf(targets, textOfCustomFile()));
  const own = fc.tuple(
    fc.constantFrom(...OWN_NAMES),
    fc.constantFrom(...forOwn).map((target) => ({ kind: 'link' as const, target })),
  );
  const file = fc
    .oneof({ weight: 5, arbitrary: ofProject }, { weight: 1, arbitrary: own })
    .map(([name, content]) => ({ name, ...content }) as CustomFile);
  return fc.uniqueArray(file, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
}

/** Reads what the skills and instructions are about. */
export function customCall(): fc.Arbitrary<LeakCall> {
  const names = ['skill:s', 'skill:../s', 'skill:s/../../..', 'skill:.ssh', 'skill:', 'SKILL:s', './skill:s'];
  const paths = ['src/main.ts', 'src/deep/er/x.ts', '.github/skills/s/SKILL.md', '.github/prompts/p.prompt.md'];
  return fc.constantFrom(...names, ...paths).map((name) => ({ name: 'read_file', arguments: { path: name } }));
}

/** Makes the files. Some targets cannot be written in a link; then there is none. */
export async function placeCustomFiles(files: readonly CustomFile[], { top }: LeakWorld): Promise<void> {
  for (const given of files) await place(given, top);
}

async function place(given: CustomFile, top: string): Promise<void> {
  const file = path.join(top, given.name);
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  switch (given.kind) {
    case 'link':
      return linkTo(fromFolder(given.target, folder, top), file);
    case 'two links': {
      const between = `${path.basename(file)}-link`;
      await linkTo(between, file);
      return linkTo(fromFolder(given.target, folder, top), path.join(folder, between));
    }
    case 'linked folder':
      if (folder === path.join(top, 'ws')) return;
      await rm(folder, { recursive: true });
      return linkTo(path.dirname(fromFolder(given.target, path.dirname(folder), top)), folder);
    case 'hard link':
      return link(path.join(top, given.target), file);
    case 'folder':
      return void (await mkdir(file));
    case 'pipe':
      // Whoever opened it would wait forever.
      return void execFileSync('mkfifo', [file]);
    case 'huge file': {
      // Its blocks are not written.
      await writeFile(file, '---\nname: s\ndescription: d\n---\n');
      return truncate(file, 20 * 1024 ** 2);
    }
    case 'text':
      return writeFile(file, given.text);
  }
}

/** A path from the workspace, as a link in this folder writes it. */
function fromFolder(target: string, folder: string, top: string): string {
  return path.isAbsolute(target) ? target : `${path.relative(folder, path.join(top, 'ws')) || '.'}/${target}`;
}

async function linkTo(target: string, file: string): Promise<void> {
  if (target === '' || target.includes('\0')) return;
  await symlink(target, file);
}
