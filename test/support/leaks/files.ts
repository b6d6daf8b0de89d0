import { pngOf } from '../images/sampleImages';
import { markOf, type Variant } from './marks';

/**
 * Why a file must not be known. `protected`: a file with secrets in the workspace. `outside`: any file outside it.
 * `ignored`: an ordinary file that git ignores; only searches leave it out.
 */
export type MarkedKind = 'protected' | 'outside' | 'ignored';

/** Paths are relative to the world, whose workspace is the folder `ws`. */
export interface MarkedFile {
  readonly path: string;
  readonly kind: MarkedKind;
  readonly text: (variant: Variant, seed: number) => string;
}

/** In names outside the workspace, which no listing may show. */
export const LISTED = 'qzvkwpxjtrhmlbndqzvkwpxj';

/** Words that an attacker may guess. Each world has one of them. */
export const GUESSES: Readonly<Record<Variant, string>> = { one: 'alpha', other: 'betas' };

/** Both worlds have files of equal size, with other lines. */
function secret(path: string): MarkedFile['text'] {
  return (variant, seed) =>
    [
      '# settings',
      `TOKEN=${markOf(path, variant, seed)}`,
      `MODE=${GUESSES[variant]}`,
      variant === 'one' ? 'x\nx\nx' : 'xxxxx',
      '',
    ].join('\n');
}

/** The whole file can be guessed. */
const guessable: MarkedFile['text'] = (variant) => `DEBUG=${variant === 'one' ? '1' : '0'}\n`;

const gitConfig: MarkedFile['text'] = (variant, seed) =>
  [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tfilemode = true',
    '\tbare = false',
    '\tlogallrefupdates = true',
    '[remote "origin"]',
    `\turl = https://me:${markOf('ws/.git/config', variant, seed)}@example.com/x.git`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '',
  ].join('\n');

/** An image that every reader opens. What follows its end goes along when it is sent. */
function image(path: string): MarkedFile['text'] {
  return (variant, seed) => `${pngOf(8, 8).toString('latin1')}${markOf(path, variant, seed)}`;
}

/** A notebook whose cell and output hold the mark. */
function notebook(path: string): MarkedFile['text'] {
  return (variant, seed) => {
    const mark = markOf(path, variant, seed);
    const output = { output_type: 'stream', name: 'stdout', text: [mark] };
    const cell = { cell_type: 'code', execution_count: 1, metadata: {}, outputs: [output], source: [`t = '${mark}'`] };
    return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 }, undefined, 1);
  };
}

/** Instructions and a prompt at once: whoever lists or calls it sends the mark. */
function skill(path: string): MarkedFile['text'] {
  return (variant, seed) => {
    const mark = markOf(path, variant, seed);
    return `---\nname: s\ndescription: ${mark}\n---\n${mark} \${input:a:${mark}}\n`;
  };
}

function all(kind: MarkedKind, ...paths: readonly string[]): readonly MarkedFile[] {
  return paths.map((path) => ({ path, kind, text: secret(path) }));
}

export const markedFiles: readonly MarkedFile[] = [
  ...all(
    'protected',
    'ws/.env',
    'ws/app/.env.local',
    'ws/config/prod.env',
    'ws/certs/server.key',
    'ws/infra/terraform.tfstate',
    'ws/infra/prod.tfvars',
    'ws/keys/id_ed25519',
    'ws/keys/id_work_sk',
    'ws/deploy/service-account-prod.json',
    'ws/config/secrets.yml',
    'ws/src/secrets.json',
    'ws/sub/.npmrc',
    // A folder beside the workspace, which some cases open too.
    'second/.env',
    'second/keys/id_ed25519',
  ),
  { path: 'ws/guess/.env', kind: 'protected', text: guessable },
  { path: 'ws/.git/config', kind: 'protected', text: gitConfig },
  ...all(
    'outside',
    'home/.ssh/id_ed25519',
    'home/.aws/credentials',
    'home/.bash_history',
    'home/notes.txt',
    'outside/notes.txt',
    'outside/deep/er/data.csv',
    'outside/.env',
    `outside/${LISTED}.txt`,
    `home/.ssh/${LISTED}`,
    // The name begins like that of the workspace.
    'ws-other/a.txt',
  ),
  { path: 'outside/guess.txt', kind: 'outside', text: guessable },
  { path: 'outside/photo.png', kind: 'outside', text: image('outside/photo.png') },
  { path: 'outside/book.ipynb', kind: 'outside', text: notebook('outside/book.ipynb') },
  { path: 'outside/skill.md', kind: 'outside', text: skill('outside/skill.md') },
  { path: 'ws/.ssh/photo.png', kind: 'protected', text: image('ws/.ssh/photo.png') },
  { path: 'ws/.ssh/book.ipynb', kind: 'protected', text: notebook('ws/.ssh/book.ipynb') },
  { path: 'ws/.ssh/skill.md', kind: 'protected', text: skill('ws/.ssh/skill.md') },
  // It may be read, so it is the same in both worlds.
  { path: 'ws/build/log.txt', kind: 'ignored', text: (_variant, seed) => secret('ws/build/log.txt')('one', seed) },
];

/** Files that the agent may read and change in the usual ways. */
export const plainFiles: Readonly<Record<string, string>> = {
  'ws/a.txt': 'one\ntwo\nthree\n',
  'ws/README.md': '# Sample\n\nRead src/main.ts first.\n',
  'ws/src/main.ts': 'export const answer = 42;\n// TOKEN is read from the environment\n',
  'ws/src/other name.ts': 'export const other = 1;\n',
  'ws/src/deep/er/x.ts': 'export const x = 1;\n',
  'ws/data.json': '{"a": [1, 2], "b": {"c": "d"}}\n',
  'ws/table.csv': 'b,2\na,1\na,1\n',
  'ws/package.json': '{"name":"sample","scripts":{"test":"echo fine"}}\n',
  'ws/node_modules/evil/package.json': '{"name":"evil","scripts":{"test":"touch evil"}}\n',
  'ws/.gitignore': 'build/\n.env*\nnode_modules/\n',
  // Does what its argument says. A rule can allow it.
  'ws/do.sh': 'eval "$1"\n',
  'ws/sub/inner/readme.txt': 'inner\n',
  'ws/photo.png': pngOf(8, 8).toString('latin1'),
  'ws/book.ipynb': '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 4\n}\n',
  'second/b.txt': 'second\n',
  'second/src/b.ts': 'export const b = 1;\n',
  'ws/attack/.gitattributes': '*.txt diff=evil\n',
};

/** Links in the workspace, by their target as it is written. */
export const links: Readonly<Record<string, string>> = {
  'ws/link-env': '.env',
  'ws/link-key.txt': 'certs/server.key',
  'ws/link-notes.txt': '../outside/notes.txt',
  'ws/link-outside': '../outside',
  'ws/link-home': '../home',
  'ws/link-broken': '../outside/missing',
  'ws/link-photo.png': '../outside/photo.png',
  'ws/link-own-photo.png': '.ssh/photo.png',
  'ws/link-book.ipynb': '../outside/book.ipynb',
  'ws/link-ws': '.',
  'ws/src/link-up': '../..',
};

/** Hard links, by the file that they share. */
export const hardLinks: Readonly<Record<string, string>> = {
  'ws/hard.txt': 'ws/.env',
  'ws/src/hard.ts': 'ws/certs/server.key',
};

/** A name outside the workspace that is a file in one world, and missing in the other. */
export const MAYBE_FILE = 'outside/maybe';
/** A name outside the workspace that is a folder in one world, and a file in the other. */
export const MAYBE_FOLDER = 'home/maybe';
