import type { ExamTask } from '../examTask';
import type { Random } from './random';
import { nameOf, syntaxes, type CodeLanguage } from './syntax';
import { modules, nouns, verbs } from './words';

/** Makes a task in a language. The random numbers choose names and values. */
export type Template = (language: CodeLanguage, random: Random) => ExamTask;

const lower = (text: string): string => text.toLowerCase();

function names(language: CodeLanguage, random: Random, count: number): readonly string[] {
  const starts = random.some(count, verbs);
  const ends = random.some(count, nouns);
  return starts.map((verb, index) => nameOf(language, [verb, ends[index]!]));
}

/** Renames a function that two other files call. */
export const renameInThreeFiles: Template = (language, random) => {
  const syntax = syntaxes[language];
  const [own = '', user = '', other = ''] = random.some(3, modules);
  const [old = '', replacement = '', first = '', second = ''] = names(language, random, 4);
  const factor = random.between(2, 9);
  const define = (name: string): string => syntax.module(own, [syntax.fn(name, ['amount'], `amount * ${factor}`)]);
  const using = (module: string, caller: string, name: string): string =>
    syntax.module(module, [
      syntax.use(own, name),
      syntax.fn(caller, ['size', 'extra'], `total + extra`, [
        syntax.variable('total', syntax.call(own, name, ['size'])),
      ]),
    ]);
  const texts = (name: string): readonly (readonly [string, string])[] => [
    [syntax.path(own), define(name)],
    [syntax.path(user), using(user, first, name)],
    [syntax.path(other), using(other, second, name)],
  ];
  const after = new Map(texts(replacement));
  return {
    id: `rename-${lower(language)}`,
    title: 'Rename a function in three files',
    language,
    group: 'work',
    prompt: `Rename the function ${old} to ${replacement} in all files that define or use it. Change nothing else.`,
    files: Object.fromEntries(texts(old)),
    solution: texts(old).flatMap(([path, from]) =>
      changedLines(from, after.get(path)!).map((change) => ({ path, ...change })),
    ),
    judgedBy: 'files',
  };
};

/** The lines that differ, each as an edit. Both texts have equally many lines. */
function changedLines(from: string, to: string): readonly { readonly from: string; readonly to: string }[] {
  const after = to.split('\n');
  return from.split('\n').flatMap((line, index) => (line === after[index] ? [] : [{ from: line, to: after[index]! }]));
}

/** Changes one value in a file of about 800 lines. */
export const editLongFile: Template = (language, random) => {
  const syntax = syntaxes[language];
  const [module = ''] = random.some(1, modules);
  const count = language === 'Python' ? 200 : 160;
  const chosen = random.between(Math.floor(count * 0.4), Math.floor(count * 0.8));
  const value = (index: number): number => 10 + ((index * 37) % 89);
  const step = (index: number): string => nameOf(language, ['step', String(index)]);
  const pieces = Array.from({ length: count }, (_, index) =>
    syntax.fn(step(index), ['amount'], 'amount + rate', [syntax.variable('rate', String(value(index)))]),
  );
  const next = value(chosen) + 100;
  const from = pieces[chosen]!;
  return {
    id: `long-file-${lower(language)}`,
    title: 'Edit a file of 800 lines',
    language,
    group: 'work',
    prompt: `In ${syntax.path(module)}, the function ${step(chosen)} must use the rate ${next}. Change only that function.`,
    files: { [syntax.path(module)]: syntax.module(module, pieces) },
    solution: within(syntax.module(module, pieces), from, (text) => text.replace(`${value(chosen)}`, `${next}`)).map(
      (edit) => ({ path: syntax.path(module), ...edit }),
    ),
    judgedBy: 'files',
  };
};

/** The edit that changes one piece, which may be indented in the whole. */
function within(whole: string, piece: string, change: (piece: string) => string): readonly Piece[] {
  const indent = whole.includes(piece) ? '' : '    ';
  const from = piece.replaceAll('\n', `\n${indent}`);
  return [{ from, to: change(from) }];
}

interface Piece {
  readonly from: string;
  readonly to: string;
}

/** Changes one of three functions with equal lines, so that a short quote does not say which. */
export const editOneOfThree: Template = (language, random) => {
  const syntax = syntaxes[language];
  const [module = ''] = random.some(1, modules);
  const functions = names(language, random, 3);
  const [old, next] = [random.between(10, 40), random.between(50, 90)];
  const pieces = functions.map((name) =>
    syntax.fn(name, ['size'], 'size * timeout', [syntax.variable('timeout', String(old))]),
  );
  const chosen = random.between(1, 2);
  const text = syntax.module(module, pieces);
  return {
    id: `one-of-three-${lower(language)}`,
    title: 'Edit one of three equal places',
    language,
    group: 'edit',
    prompt: `In ${syntax.path(module)}, set the timeout of ${functions[chosen]} to ${next}. The other functions keep theirs.`,
    files: { [syntax.path(module)]: text },
    solution: within(text, pieces[chosen]!, (piece) => piece.replace(String(old), String(next))).map((edit) => ({
      path: syntax.path(module),
      ...edit,
    })),
    judgedBy: 'files',
  };
};

/** Makes a comparison include its limit. */
export const fixBoundary: Template = (language, random) => {
  const syntax = syntaxes[language];
  const [module = '', other = ''] = random.some(2, modules);
  const name = nameOf(language, ['is', ...random.some(1, ['adult', 'large', 'heavy', 'full', 'late'])]);
  const [helper = ''] = names(language, random, 1);
  const limit = random.between(12, 60);
  return {
    id: `boundary-${lower(language)}`,
    title: 'Fix a comparison',
    language,
    group: 'edit',
    prompt: `${name} is wrong for the value ${limit} itself: it must hold for ${limit} too. Find it and fix the comparison. Change nothing else.`,
    files: {
      [syntax.path(module)]: syntax.module(module, [
        syntax.fn(helper, ['value'], `value + ${limit}`),
        syntax.predicate(name, 'value', `value > ${limit}`),
      ]),
      [syntax.path(other)]: syntax.module(other, [syntax.fn('twice', ['value'], 'value * 2')]),
    },
    solution: [{ path: syntax.path(module), from: `value > ${limit}`, to: `value >= ${limit}` }],
    judgedBy: 'files',
  };
};

/** Removes a function that nothing calls. */
export const removeUnused: Template = (language, random) => {
  const syntax = syntaxes[language];
  const [module = ''] = random.some(1, modules);
  const [kept = '', unused = '', last = ''] = names(language, random, 3);
  const piece = syntax.fn(unused, ['size', 'weight'], 'part + weight', [syntax.variable('part', 'size * 3')]);
  const text = syntax.module(module, [
    syntax.fn(kept, ['size'], 'size * 2'),
    piece,
    syntax.fn(last, ['size'], 'size + 7'),
  ]);
  const indent = text.includes(piece) ? '' : '    ';
  return {
    id: `remove-${lower(language)}`,
    title: 'Remove a function',
    language,
    group: 'edit',
    prompt: `Remove the function ${unused} from ${syntax.path(module)}. Nothing calls it any more. Change nothing else.`,
    files: { [syntax.path(module)]: text },
    solution: [{ path: syntax.path(module), from: `${piece.replaceAll('\n', `\n${indent}`)}\n\n${indent}`, to: '' }],
    judgedBy: 'files',
  };
};

/** Adds a constant after another one. */
export const addConstant: Template = (language, random) => {
  const syntax = syntaxes[language];
  const [module = ''] = random.some(1, modules);
  const [name = '', added = ''] = random.some(2, ['MAX_ITEMS', 'MIN_WEIGHT', 'PAGE_SIZE', 'RETRIES', 'TAX_RATE']);
  const [helper = ''] = names(language, random, 1);
  const [old, next] = [random.between(2, 40), random.between(41, 90)];
  const text = syntax.module(module, [syntax.constant(name, old), syntax.fn(helper, ['size'], 'size + 1')]);
  const from = syntax.constant(name, old);
  const indent = language === 'Java' ? '    ' : '';
  return {
    id: `constant-${lower(language)}`,
    title: 'Add a constant',
    language,
    group: 'edit',
    prompt: `In ${syntax.path(module)}, add a constant ${added} with the value ${next} in the line after ${name}, written in the same way. Change nothing else.`,
    files: { [syntax.path(module)]: text },
    solution: [{ path: syntax.path(module), from, to: `${from}\n${indent}${syntax.constant(added, next)}` }],
    judgedBy: 'files',
  };
};
