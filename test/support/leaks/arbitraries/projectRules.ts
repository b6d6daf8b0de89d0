import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { markedFiles } from '../files';
import type { LeakWorld } from '../world';
import { pathText } from './paths';

/** What the file `AGENTS.md` of the workspace is. Plain data with `<world>` for the world's folder. */
export type ProjectRulesFile =
  | { readonly kind: 'link'; readonly target: string }
  /** To a file of the workspace; `target` is a path in the world. */
  | { readonly kind: 'hard link'; readonly target: string }
  /** A link in a folder of links: the name leads through both. */
  | { readonly kind: 'two links'; readonly target: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'text'; readonly text: string };

const ofWorkspace = markedFiles.filter(({ kind }) => kind === 'protected').map(({ path: name }) => name);

export function projectRulesFile(): fc.Arbitrary<ProjectRulesFile> {
  const inclusion = fc.constantFrom<(name: string) => string>(
    (name) => `@${name}`,
    (name) => `{{include ${name}}}`,
    (name) => `![x](${name})`,
    (name) => `<file src="${name}">`,
    (name) => '```\n@' + name,
    (name) => `@"${name}"`,
  );
  const line = fc.tuple(inclusion, pathText()).map(([include, name]) => include(name));
  const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));
  return fc.oneof(
    { weight: 5, arbitrary: pathText().map((target) => ({ kind: 'link' as const, target })) },
    { weight: 2, arbitrary: fc.constantFrom(...ofWorkspace).map((target) => ({ kind: 'hard link' as const, target })) },
    { weight: 2, arbitrary: pathText().map((target) => ({ kind: 'two links' as const, target })) },
    { weight: 2, arbitrary: text.map((written) => ({ kind: 'text' as const, text: written })) },
    { weight: 1, arbitrary: fc.constant({ kind: 'folder' as const }) },
  );
}

/** Makes the file. Some targets cannot be written in a link; then there is none. */
export async function placeProjectRules(given: ProjectRulesFile, { top, workspace }: LeakWorld): Promise<void> {
  const file = path.join(workspace, 'AGENTS.md');
  switch (given.kind) {
    case 'link':
      return linkTo(given.target, file);
    case 'two links':
      await linkTo('src/rules.md', file);
      return linkTo(
        path.isAbsolute(given.target) ? given.target : `../${given.target}`,
        path.join(workspace, 'src/rules.md'),
      );
    case 'hard link':
      return link(path.join(top, given.target), file);
    case 'folder':
      return mkdir(file);
    case 'text':
      return writeFile(file, given.text);
  }
}

async function linkTo(target: string, file: string): Promise<void> {
  if (target === '' || target.includes('\0')) return;
  await symlink(target, file);
}
