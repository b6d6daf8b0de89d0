import path from 'node:path';
import * as fc from 'fast-check';
import { links, markedFiles, plainFiles, hardLinks } from '../files';
import { bare, optionWords } from './commands';
import type { UnaskedProgram } from './unaskedOptions';

/** A command and the folder in which it begins, from the workspace. */
export interface PlacedCommand {
  readonly cwd: string;
  readonly command: string;
}

const word = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);

/** The folders of the workspace, and links that lead to folders. */
const FOLDERS = ['.', 'src', 'src/deep', 'src/deep/er', 'sub', 'sub/inner', 'build', 'app', 'config', 'attack'];
const RARE_FOLDERS = ['certs', 'keys', 'vendor', 'guess', '.git', 'link-ws', 'link-outside', 'src/link-up', '..'];
const folder = fc.oneof(
  { weight: 12, arbitrary: word('.', 'src', 'sub', 'src/deep', 'src/deep/er') },
  { weight: 3, arbitrary: word(...FOLDERS) },
  { weight: 1, arbitrary: word(...RARE_FOLDERS) },
);

const inWorkspace = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (name.startsWith('ws/') ? [name.slice('ws/'.length)] : []));
const ORDINARY = inWorkspace(Object.keys(plainFiles));
const RISKY = inWorkspace([...markedFiles.map((file) => file.path), ...Object.keys(links), ...Object.keys(hardLinks)]);

/** A path as it is written in a folder. The text of a pattern may match more than this path. */
function pathFrom(start: string): fc.Arbitrary<string> {
  const target = fc.oneof(
    { weight: 8, arbitrary: word(...ORDINARY) },
    { weight: 2, arbitrary: word(...FOLDERS) },
    { weight: 1, arbitrary: word(...RISKY) },
  );
  return fc.tuple(target, fc.boolean()).chain(([name, isNear]) => {
    // Most programs are given what is in their folder.
    const near = ORDINARY.filter((file) => !path.posix.relative(start, file).startsWith('..'));
    const chosen = isNear ? (near[name.length % Math.max(1, near.length)] ?? name) : name;
    const relative = path.posix.relative(start, chosen) || '.';
    return fc
      .tuple(fc.array(globbing, { minLength: 1, maxLength: 3 }), word('', '', '', '', './', 'link-ws/'))
      .map(([ways, before]) => before + globbed(relative, ways));
  });
}

/** Ways to write a segment of a path as a pattern that matches it. */
const GLOBBINGS: Readonly<Record<string, (name: string) => string>> = {
  asItIs: bare,
  begins: (name) => `${bare(name.slice(0, 1))}*`,
  beginsLonger: (name) => `${bare(name.slice(0, 3))}*`,
  ends: (name) => `*${bare(path.posix.extname(name) || name.slice(-1))}`,
  all: () => '*',
  hidden: (name) => (name.startsWith('.') ? `.${name.slice(1, 2)}*` : '*'),
  anyCharacter: (name) => `?${bare(name.slice(1))}`,
  set: (name) => `[${/^[a-z]/i.test(name) ? `a-z${name.charAt(0)}` : '.'}]*`,
  notSet: (name) => `[!.x]*${bare(name.slice(-1))}`,
  twice: (name) => `**${bare(name.slice(-2))}`,
  quotedPart: (name) => `'${name.slice(0, 2).replaceAll("'", '')}'*`,
};
const globbing = fc.oneof(
  { weight: 3, arbitrary: fc.constant('asItIs') },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(GLOBBINGS)) },
);

function globbed(name: string, ways: readonly string[]): string {
  return name
    .split('/')
    .map((segment, index) =>
      segment === '.' || segment === '..' ? segment : GLOBBINGS[ways[index % ways.length]!]!(segment),
    )
    .join('/');
}

/** Programs whose first operand is a program or a pattern, with first operands that only read. */
const FIRST_OPERANDS: Readonly<Record<string, readonly string[]>> = {
  sed: ["-n '1,9p'", "'s/a/b/'", "-n '/TOKEN/p' -e '$='", '-n p'],
  awk: ["'{print $1}'", "'/TOKEN/'", "-F= '{print $2}'"],
  jq: ['.', "'.a'", '-r .TOKEN'],
  test: ['-f', '-s', '! -e', '-r', 'a -nt'],
  '[': ['-f', '! -d', '-s'],
  grep: ['TOKEN', '-e MODE=alpha', 'x'],
  egrep: ['TOKEN'],
  fgrep: ['TOKEN'],
  rg: ['TOKEN', '-e x', 'MODE'],
  'git grep': ['TOKEN', '-e x'],
};

function call(programs: readonly UnaskedProgram[], start: string): fc.Arbitrary<string> {
  return fc.constantFrom(...programs).chain(({ words, options }) => {
    const flag = options.length === 0 ? fc.constant([]) : fc.constantFrom(...options).chain(optionWords);
    const name = words.join(' ');
    const first = word(...(FIRST_OPERANDS[name] ?? ['']));
    return fc
      .tuple(
        fc.array(flag, { maxLength: 2 }),
        first,
        fc.array(pathFrom(start), { maxLength: 3 }),
        word('', '', '', '--'),
      )
      .map(([flags, operand, paths, end]) => {
        const all = [name, ...flags.flat().map(bare), operand, end, ...paths, ...(name === '[' ? [']'] : [])];
        return all.filter((text) => text !== '').join(' ');
      });
  });
}

/** Commands whose output others get as words. Most of the names are ordinary, some are not. */
function names(start: string): fc.Arbitrary<string> {
  const folderOrPath = fc.oneof(fc.constant('.'), pathFrom(start));
  return fc
    .tuple(folderOrPath, folderOrPath)
    .chain(([one, other]) =>
      word(
        `find ${one} -type f`,
        `find ${one}`,
        `find ${one} -name '*.ts'`,
        `find ${one} -maxdepth 1 -type f`,
        `find ${one} -type l`,
        `ls ${one}`,
        `ls -a ${one}`,
        `ls -d ${one} ${other}`,
        `echo ${one} ${other}`,
        String.raw`printf '%s\n' ${one} ${other}`,
        'git ls-files',
        'git ls-files -o',
        'git diff --name-only HEAD~1',
        `grep -rl TOKEN ${one}`,
        `grep -l x ${one} ${other}`,
        `cat ${one}`,
        `head -2 ${one}`,
        `for each in ${one} ${other}; do echo "$each"; done`,
      ),
    );
}

/** A command of several parts: its inner calls get words that are found while it runs. */
function composed(programs: readonly UnaskedProgram[], start: string): fc.Arbitrary<string> {
  const inner = call(programs, start);
  return fc
    .tuple(names(start), inner, inner, pathFrom(start), word('', '| head -3 ', '| sort '))
    .chain(([source, first, second, path_, filter]) => {
      const list = `${source} ${filter}`;
      const exec = source.startsWith('find ') ? source : 'find . -type f';
      return word(
        `${list}| xargs ${first}`,
        `${list}| xargs -n 1 ${first}`,
        `${list}| xargs -I{} ${first} {}`,
        `${list}| xargs -I{} sh -c '${first.replaceAll("'", '')} {}'`,
        `${exec} -print0 | xargs -0 ${first}`,
        String.raw`${exec} -exec ${first} {} \;`,
        `${exec} -exec ${first} {} +`,
        String.raw`${exec} -exec sh -c '${first.replaceAll("'", '')} "$1"' _ {} \;`,
        `${first} $(${list})`,
        `${first} "$(${list})"`,
        `${list}| while read -r f; do ${first} "$f"; done`,
        `${list}| while read f; do ${first} $f; done | sort`,
        `for f in $(${list}); do ${first} "$f"; done`,
        `for f in ${path_}; do ${first} $f; ${second}; done`,
        `for f in ${path_}; do echo "$f: $(${first} "$f")"; done`,
        `while read -r f; do ${first} "$f"; done < ${path_}`,
        `f=${path_}; ${first} $f; ${second}`,
        `f=$(${list}); ${first} "$f"`,
        `if ${first}; then ${second}; else ${first} ${path_}; fi`,
        `{ ${first}; ! ${second}; }`,
        `( ${first}; ${second} )`,
        `[[ -f ${path_} ]] && ${first}`,
        `${first} {${path_},${path_}}`,
      );
    });
}

/** A way into a folder: the folder in which the command begins, and a `cd` for the rest. Rarely one that must ask. */
function entering(target: string): fc.Arbitrary<{ readonly cwd: string; readonly enter: string }> {
  const parts = target === '.' || target.startsWith('..') ? [] : target.split('/');
  const split = fc.nat({ max: parts.length });
  const rare = fc.nat({ max: 15 });
  return fc.tuple(split, rare, rare, globbing).map(([at, before, join, way]) => {
    const cwd = parts.slice(0, at).join('/') || (parts.length === 0 ? target : '.');
    const rest = parts.slice(at).join('/');
    const folder = ['./', 'link-ws/'][before] ?? '';
    const written = before === 2 ? globbed(rest, [way]) : rest;
    return { cwd, enter: rest === '' ? '' : `cd ${folder}${written}${join === 0 ? '; ' : ' && '}` };
  });
}

/** Commands of programs that may run unasked, with folders, file patterns and options at once. */
export function placedCommand(programs: readonly UnaskedProgram[]): fc.Arbitrary<PlacedCommand> {
  const scripts = ['sed', 'awk', 'jq', 'test', '['].map((name) => ({ words: [name], options: [] }));
  const all = [...programs, ...scripts];
  return fc.tuple(folder, fc.integer({ min: 1, max: 3 })).chain(([start, calls]) =>
    fc
      .tuple(
        entering(start),
        fc.array(fc.oneof({ weight: 4, arbitrary: call(all, start) }, { weight: 1, arbitrary: composed(all, start) }), {
          minLength: calls,
          maxLength: calls,
        }),
        word(' && ', ' | ', ' || ', '; '),
        word('', '', '', ' 2>&1', ' 2>/dev/null'),
      )
      .map(([{ cwd, enter }, texts, join, end]) => {
        // After `cd folder &&`, most other operators ask.
        const isLoose = enter !== '' && /^(?:; | \|\| )$/.test(join);
        return { cwd, command: enter + texts.join(isLoose ? ' && ' : join) + end };
      }),
  );
}
