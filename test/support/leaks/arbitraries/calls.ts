import * as fc from 'fast-check';
import type { LeakCall } from '../leakCase';
import { pathText } from './paths';

const word = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const line = fc.integer({ min: -2, max: 12 });

/** Removes what is undefined: JSON has no such value. */
function call(name: string, values: Readonly<Record<string, unknown>>): LeakCall {
  return { name, arguments: JSON.parse(JSON.stringify(values)) as LeakCall['arguments'] };
}

function readFile(): fc.Arbitrary<LeakCall> {
  const tool = word('read_file', 'read_file', 'cat', 'view_file');
  const parameter = word('path', 'path', 'file_path', 'filename');
  return fc
    .tuple(tool, parameter, pathText(), maybe(line), maybe(line))
    .map(([name, key, path, start_line, end_line]) => call(name, { [key]: path, start_line, end_line }));
}

function listDirectory(): fc.Arbitrary<LeakCall> {
  return fc.tuple(maybe(pathText())).map(([path]) => call('list_directory', { path }));
}

const PATTERNS = [
  ...['TOKEN', 'MODE=', 'MODE=alpha', 'DEBUG=1', 'settings', 'x', 'one', 'url', ''],
  ...[
    '.',
    '.*',
    '^',
    '$',
    '[a-z]{8}',
    String.raw`\S+`,
    '(?=TOKEN)',
    'TOKEN=[a-m]',
    'alpha|one',
    '(?<=MODE=)a',
    '(T)(O)K',
  ],
];
const GLOBS = [
  ...[
    '*',
    '**/*',
    '**/.env*',
    '.env',
    '*.{env,key}',
    '../**',
    '/etc/*',
    '!*.ts',
    'certs/**',
    '[.]env',
    '**/./.env',
    '*.txt',
  ],
  ...['{a,.env,b}', '.e?v', '**/{*.key,*.tfstate}', '.*', 'link-*/**', '*.ts,.env', '{.,*}*'],
];

function searchText(): fc.Arbitrary<LeakCall> {
  const tool = word('search_text', 'search_text', 'grep', 'rg');
  return fc
    .tuple(tool, word(...PATTERNS), maybe(pathText()), maybe(word(...GLOBS)), maybe(fc.boolean()), maybe(fc.boolean()))
    .map(([name, pattern, path, include, is_regex, case_sensitive]) =>
      call(name, { pattern, path, include, is_regex, case_sensitive }),
    );
}

/** Words that one of the worlds has, and words that none has. */
const QUOTES = [
  ...[
    'MODE=alpha',
    'MODE=betas',
    'TOKEN=',
    'TOKEN',
    'x',
    'x\nx',
    '# settings',
    '# settings\nno\nsuch\ntext',
    '# setings\nTOKEN=\nMODE=alph',
    'DEBUG=1',
    'DEBUG=0',
  ],
  ...['DEBUG=1\n', 'one', 'two\nthree', 'no such text', 'answer', '', ' ', 'repositoryformatversion = 0'],
];
const TEXTS = [
  'y',
  '',
  'MODE=alpha',
  'x',
  'one',
  'a\u200bb',
  '"$schema": "https://example.com/x.json"',
  'DEBUG=1',
  'DEBUG=1\n',
];

function applyEdit(): fc.Arbitrary<LeakCall> {
  const one = fc.record({ old_text: word(...QUOTES), new_text: word(...TEXTS) });
  const tool = word('apply_edit', 'apply_edit', 'str_replace');
  return fc
    .tuple(tool, pathText(), fc.array(one, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([name, path, edits, isText]) => call(name, { path, edits: isText ? JSON.stringify(edits) : edits }));
}

function writeFile(): fc.Arbitrary<LeakCall> {
  return fc.tuple(pathText(), word(...TEXTS)).map(([path, content]) => call('write_file', { path, content }));
}

const SYMBOLS = ['TOKEN', 'MODE', 'DEBUG', 'alpha', 'betas', 'x', 'answer', 'one', 'settings', 'url', 'TOKEN()', ''];
const QUESTIONS = ['references', 'definition', 'implementations', 'callers', 'hover', 'symbols', 'rename to renamed'];

function findSymbol(): fc.Arbitrary<LeakCall> {
  const tool = word('find_symbol', 'find_symbol', 'code_navigation');
  return fc
    .tuple(tool, fc.oneof(word(...SYMBOLS), pathText()), maybe(word(...QUESTIONS)), maybe(pathText()), fc.boolean())
    .map(([name, symbol, find, path, isOneText]) =>
      call(name, isOneText && path !== undefined ? { symbol: `${symbol} in ${path}`, find } : { symbol, find, path }),
    );
}

/** A call of any tool but commands. */
export function toolCall(): fc.Arbitrary<LeakCall> {
  return fc.oneof(readFile(), listDirectory(), searchText(), findSymbol(), applyEdit(), writeFile());
}
