import type { JsonValue } from '../../../util/json';
import { checkCommand, checkFile, type ExamTask, type TaskCase } from '../examTask';
import type { Random } from './random';
import { nouns } from './words';

/** The start of a check: what it imports. */
const imports = (names: string, from: string): string =>
  `import assert from 'node:assert/strict';\nimport { ${names} } from './${from}';\n\n`;

const runIt = `Run it with \`${checkCommand}\`. Do not change ${checkFile}.`;

function checked(task: Omit<ExamTask, 'language' | 'judgedBy'> & { readonly cases: readonly TaskCase[] }): ExamTask {
  return { ...task, language: 'JavaScript', judgedBy: 'check' };
}

/** The calls of one function, with the results that a right one gives. */
function casesOf<Args extends readonly JsonValue[]>(
  path: string,
  name: string,
  right: (...args: Args) => JsonValue,
  calls: readonly Args[],
): readonly TaskCase[] {
  return calls.map((args) => ({ path, name, args, result: right(...args) }));
}

/** One wrong line, and a test that fails. */
export function failingTest(random: Random): ExamTask {
  const [start, length] = [random.between(2, 9), random.between(3, 7)];
  const all = Array.from({ length }, (_, index) => start + index);
  return checked({
    id: 'failing-test',
    title: 'Fix a failing test',
    group: 'edit',
    prompt: `${checkFile} fails. Find the mistake in src/ and fix it. ${runIt}`,
    files: {
      [checkFile]: `${imports('range', 'src/range.mjs')}assert.deepEqual(range(${start}, ${start + length - 1}), [${all.join(', ')}]);\nassert.deepEqual(range(5, 5), [5]);\nconsole.log('passed');\n`,
      'src/range.mjs': `/** All whole numbers from \`first\` to \`last\`, both included. */\nexport function range(first, last) {\n  const numbers = [];\n  for (let number = first; number < last; number++) numbers.push(number);\n  return numbers;\n}\n`,
    },
    solution: [{ path: 'src/range.mjs', from: 'number < last', to: 'number <= last' }],
    cases: casesOf('src/range.mjs', 'range', rangeOf, [
      [start, start + length - 1],
      [5, 5],
      [0, random.between(8, 12)],
      [-random.between(2, 6), 3],
      [7, 6],
    ]),
  });
}

const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** Two mistakes in two files, of which the test shows one after the other. */
export function twoMistakes(random: Random): ExamTask {
  const [one, other] = [random.between(3, 9), random.between(11, 19)];
  return checked({
    id: 'two-mistakes',
    title: 'Fix two mistakes in turn',
    group: 'work',
    prompt: `${checkFile} must pass. Fix the code in src/ until it does. ${runIt}`,
    files: {
      [checkFile]: `${imports('largest', 'src/largest.mjs')}import { average } from './src/average.mjs';\n\nassert.equal(largest([-${one}, -${other}]), -${one}, 'largest of negative numbers');\nassert.equal(largest([${one}, ${other}]), ${other});\nassert.equal(average([${one}, ${one}, ${one + 3}]), ${one + 1}, 'average');\nassert.equal(average([]), 0, 'average of nothing');\nconsole.log('passed');\n`,
      'src/largest.mjs': `/** The largest of some numbers. */\nexport function largest(numbers) {\n  let found = 0;\n  for (const number of numbers) if (number > found) found = number;\n  return found;\n}\n`,
      'src/average.mjs': `/** The average of some numbers; 0 for none. */\nexport function average(numbers) {\n  let sum = 0;\n  for (const number of numbers) sum += number;\n  return sum / numbers.length;\n}\n`,
    },
    solution: [
      { path: 'src/largest.mjs', from: 'let found = 0', to: 'let found = -Infinity' },
      {
        path: 'src/average.mjs',
        from: 'return sum / numbers.length',
        to: 'return numbers.length === 0 ? 0 : sum / numbers.length',
      },
    ],
    cases: [
      ...casesOf('src/largest.mjs', 'largest', (numbers: number[]) => Math.max(...numbers), [
        [[-one, -other]],
        [[one, other]],
        [[-random.between(20, 40), -random.between(50, 90), -random.between(100, 200)]],
        [[random.between(20, 40), 3, random.between(50, 90), -1]],
      ]),
      ...casesOf('src/average.mjs', 'average', averageOf, [
        [[one, one, one + 3]],
        [[]],
        [[random.between(3, 9) * 2, random.between(3, 9) * 2]],
        [[-4, 4, 6]],
      ]),
    ],
  });
}

const averageOf = (numbers: number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** A new parameter that has to be passed on through three files. */
export function passOnParameter(random: Random): ExamTask {
  const [noun = 'order'] = random.some(1, nouns);
  const name = noun.charAt(0).toUpperCase() + noun.slice(1);
  const [price, count] = [random.between(3, 9), random.between(2, 6)];
  const file = (path: string): string => `src/${path}.mjs`;
  return checked({
    id: 'pass-on',
    title: 'Change three files together',
    group: 'work',
    prompt: `describe${name} in ${file('describe')} should take the currency as a third argument and use it in place of "EUR". It has to reach formatPrice in ${file('format')} through total${name} in ${file('total')}. ${runIt}`,
    files: {
      [checkFile]: `${imports(`describe${name}`, file('describe'))}assert.equal(describe${name}(${price}, ${count}, 'USD'), 'Total: ${price * count} USD');\nassert.equal(describe${name}(1, 1, 'CHF'), 'Total: 1 CHF');\nconsole.log('passed');\n`,
      [file('describe')]:
        `import { total${name} } from './total.mjs';\n\nexport function describe${name}(price, count) {\n  return \`Total: \${total${name}(price, count)}\`;\n}\n`,
      [file('total')]:
        `import { formatPrice } from './format.mjs';\n\nexport function total${name}(price, count) {\n  return formatPrice(price * count);\n}\n`,
      [file('format')]: `export function formatPrice(amount) {\n  return \`\${amount} EUR\`;\n}\n`,
    },
    solution: [
      { path: file('describe'), from: `describe${name}(price, count)`, to: `describe${name}(price, count, currency)` },
      { path: file('describe'), from: `{total${name}(price, count)}`, to: `{total${name}(price, count, currency)}` },
      { path: file('total'), from: `total${name}(price, count)`, to: `total${name}(price, count, currency)` },
      { path: file('total'), from: 'formatPrice(price * count)', to: 'formatPrice(price * count, currency)' },
      { path: file('format'), from: 'formatPrice(amount)', to: 'formatPrice(amount, currency)' },
      { path: file('format'), from: '{amount} EUR', to: '{amount} ${currency}' },
    ],
    cases: [
      ...casesOf(file('describe'), `describe${name}`, (a: number, b: number, c: string) => `Total: ${a * b} ${c}`, [
        [price, count, 'USD'],
        [1, 1, 'CHF'],
        [random.between(11, 30), random.between(7, 9), 'SEK'],
      ]),
      ...casesOf(file('total'), `total${name}`, (a: number, b: number, c: string) => `${a * b} ${c}`, [
        [random.between(11, 30), 4, 'NOK'],
      ]),
      ...casesOf(file('format'), 'formatPrice', (amount: number, c: string) => `${amount} ${c}`, [
        [random.between(100, 900), 'JPY'],
      ]),
    ],
  });
}

/** The test prints thousands of lines, and one of them tells what is wrong. */
export function longOutput(random: Random): ExamTask {
  const count = 3000;
  const wrong = random.between(900, 2100);
  const rows = Array.from({ length: 40 }, (_, index) => `  [${index}, ${index * 7}],`);
  const row = wrong % 40;
  const bad = [...rows];
  bad[row] = `  [${row}, ${row * 7 + 1}],`;
  return checked({
    id: 'long-output',
    title: 'Read a long output',
    group: 'work',
    prompt: `${checkFile} prints ${count} lines and fails. Find out which row of src/table.mjs is wrong, and correct it. ${runIt}`,
    files: {
      [checkFile]: `${imports('table', 'src/table.mjs')}const wrong = [];\nfor (let number = 0; number < ${count}; number++) {\n  const [key, value] = table[number % 40];\n  const isRight = value === key * 7 || number !== ${wrong};\n  if (!isRight) wrong.push(number);\n  console.log(isRight ? \`case \${number}: ok\` : \`case \${number}: FAILED, row \${key} must hold \${key * 7}\`);\n}\nassert.deepEqual(wrong, []);\nassert.ok(table.every(([key, value]) => value === key * 7), 'a row is wrong');\n`,
      'src/table.mjs': `export const table = [\n${bad.join('\n')}\n];\n`,
    },
    solution: [{ path: 'src/table.mjs', from: bad[row], to: rows[row] ?? '' }],
    cases: [{ path: 'src/table.mjs', name: 'table', result: rows.map((_, index) => [index, index * 7]) }],
  });
}

/** A module that does not exist yet. */
export function newModule(random: Random): ExamTask {
  const [low, high] = [random.between(1, 9), random.between(20, 40)];
  return checked({
    id: 'new-module',
    title: 'Write a new module',
    group: 'edit',
    prompt: `Write the module src/clamp.mjs. It exports a function clamp(value, low, high) that returns value, or the nearer limit if value is outside. ${checkFile} tests it. ${runIt}`,
    files: {
      [checkFile]: `${imports('clamp', 'src/clamp.mjs')}assert.equal(clamp(${high + 5}, ${low}, ${high}), ${high});\nassert.equal(clamp(${low - 5}, ${low}, ${high}), ${low});\nassert.equal(clamp(${low + 1}, ${low}, ${high}), ${low + 1});\nconsole.log('passed');\n`,
    },
    solution: [
      {
        path: 'src/clamp.mjs',
        from: '',
        to: 'export function clamp(value, low, high) {\n  return Math.min(Math.max(value, low), high);\n}\n',
      },
    ],
    cases: casesOf('src/clamp.mjs', 'clamp', (value: number, a: number, b: number) => Math.min(Math.max(value, a), b), [
      [high + 5, low, high],
      [low - 5, low, high],
      [low + 1, low, high],
      [random.between(50, 60), 41, random.between(70, 90)],
      [-random.between(50, 60), -40, -10],
      [random.between(100, 200), -40, 99],
    ]),
  });
}

/** A function that needs some thought, with a test. */
export function missingFunction(random: Random): ExamTask {
  const [first = '', second = ''] = random.some(2, nouns);
  const name = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);
  return checked({
    id: 'missing-function',
    title: 'Write a function for a test',
    group: 'edit',
    prompt: `slug in src/slug.mjs is not written yet. Its comment says what it does. ${checkFile} tests it. ${runIt}`,
    files: {
      [checkFile]: `${imports('slug', 'src/slug.mjs')}assert.equal(slug('${name(first)} ${name(second)}'), '${first}-${second}');\nassert.equal(slug('  ${name(first)},  ${second}! '), '${first}-${second}');\nassert.equal(slug('...'), '');\nassert.equal(slug('${first}2 ${second}'), '${first}2-${second}');\nconsole.log('passed');\n`,
      'src/slug.mjs': `/** A text in lower case. Everything but letters from a to z and digits becomes one hyphen, and none is at the start or the end. */\nexport function slug(text) {\n  throw new Error('not written yet');\n}\n`,
    },
    solution: [
      {
        path: 'src/slug.mjs',
        from: "  throw new Error('not written yet');",
        to: "  return text\n    .toLowerCase()\n    .replace(/[^a-z0-9]+/g, '-')\n    .replace(/^-|-$/g, '');",
      },
    ],
    cases: casesOf('src/slug.mjs', 'slug', slugOf, [
      [`${name(first)} ${name(second)}`],
      [`  ${name(first)},  ${second}! `],
      ['...'],
      [`${first}2 ${second}`],
      [`--${name(second)}__${random.between(10, 99)} & ${first.toUpperCase()}`],
      ['already-a-slug'],
      [`${second}: "${first}" (${random.between(100, 999)})`],
    ]),
  });
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
