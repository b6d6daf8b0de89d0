import type { ExamLanguage } from '../examTask';

export type CodeLanguage = Exclude<ExamLanguage, 'text'>;

/** The parts of programs that tasks are made of, in one language. All numbers are whole numbers. */
export interface Syntax {
  /** The path of a module. `name`: one word in lower case. */
  readonly path: (name: string) => string;
  /** A module of some pieces of code, with a blank line between them. */
  readonly module: (name: string, pieces: readonly string[]) => string;
  readonly comment: (text: string) => string;
  readonly constant: (name: string, value: number) => string;
  /** A function that returns `result`, after some statements. Its parameters are numbers. */
  readonly fn: (name: string, parameters: readonly string[], result: string, statements?: readonly string[]) => string;
  /** A function that returns whether `test` holds. */
  readonly predicate: (name: string, parameter: string, test: string) => string;
  /** A statement that declares a number. */
  readonly variable: (name: string, value: string) => string;
  /** The call of a function of another module. */
  readonly call: (module: string, name: string, args: readonly string[]) => string;
  /** The line that makes a function of another module known. Empty: none is needed. */
  readonly use: (module: string, name: string) => string;
}

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const indented = (space: string, lines: readonly string[]): string =>
  lines
    .flatMap((line) => line.split('\n'))
    .map((line) => (line === '' ? '' : space + line))
    .join('\n');
const list = (names: readonly string[], type: (name: string) => string = (name) => name): string =>
  names.map(type).join(', ');
const joined = (pieces: readonly string[]): string => `${pieces.filter((piece) => piece !== '').join('\n\n')}\n`;

function scriptSyntax(extension: 'mjs' | 'ts', type: string, returns: (type: string) => string): Syntax {
  const block = (head: string, lines: readonly string[]): string => `${head} {\n${indented('  ', lines)}\n}`;
  return {
    path: (name) => `src/${name}.${extension}`,
    module: (_name, pieces) => joined(pieces),
    comment: (text) => `// ${text}`,
    constant: (name, value) => `export const ${name} = ${value};`,
    fn: (name, parameters, result, statements = []) =>
      block(`export function ${name}(${list(parameters, (each) => each + type)})${returns('number')}`, [
        ...statements,
        `return ${result};`,
      ]),
    predicate: (name, parameter, test) =>
      block(`export function ${name}(${parameter}${type})${returns('boolean')}`, [`return ${test};`]),
    variable: (name, value) => `const ${name} = ${value};`,
    call: (_module, name, args) => `${name}(${list(args)})`,
    use: (module, name) => `import { ${name} } from './${module}.${extension}';`,
  };
}

const braces = (head: string, lines: readonly string[], space: string): string =>
  `${head} {\n${indented(space, lines)}\n}`;

export const syntaxes: Readonly<Record<CodeLanguage, Syntax>> = {
  JavaScript: scriptSyntax('mjs', '', () => ''),
  TypeScript: scriptSyntax('ts', ': number', (type) => `: ${type}`),
  Python: {
    path: (name) => `app/${name}.py`,
    module: (_name, pieces) => joined(pieces),
    comment: (text) => `# ${text}`,
    constant: (name, value) => `${name} = ${value}`,
    fn: (name, parameters, result, statements = []) =>
      `def ${name}(${list(parameters)}):\n${indented('    ', [...statements, `return ${result}`])}`,
    predicate: (name, parameter, test) => `def ${name}(${parameter}):\n    return ${test}`,
    variable: (name, value) => `${name} = ${value}`,
    call: (_module, name, args) => `${name}(${list(args)})`,
    use: (module, name) => `from app.${module} import ${name}`,
  },
  Go: {
    path: (name) => `shop/${name}.go`,
    module: (_name, pieces) => joined(['package shop', ...pieces]),
    comment: (text) => `// ${text}`,
    constant: (name, value) => `const ${name} = ${value}`,
    fn: (name, parameters, result, statements = []) =>
      braces(
        `func ${name}(${list(parameters, (each) => `${each} int`)}) int`,
        [...statements, `return ${result}`],
        '\t',
      ),
    predicate: (name, parameter, test) => braces(`func ${name}(${parameter} int) bool`, [`return ${test}`], '\t'),
    variable: (name, value) => `${name} := ${value}`,
    call: (_module, name, args) => `${name}(${list(args)})`,
    use: () => '',
  },
  Rust: {
    path: (name) => `src/${name}.rs`,
    module: (_name, pieces) => joined(pieces),
    comment: (text) => `// ${text}`,
    constant: (name, value) => `pub const ${name}: i64 = ${value};`,
    fn: (name, parameters, result, statements = []) =>
      braces(`pub fn ${name}(${list(parameters, (each) => `${each}: i64`)}) -> i64`, [...statements, result], '    '),
    predicate: (name, parameter, test) => braces(`pub fn ${name}(${parameter}: i64) -> bool`, [test], '    '),
    variable: (name, value) => `let ${name} = ${value};`,
    call: (_module, name, args) => `${name}(${list(args)})`,
    use: (module, name) => `use crate::${module}::${name};`,
  },
  Java: {
    path: (name) => `shop/${upper(name)}.java`,
    module: (name, pieces) =>
      `package shop;\n\nfinal class ${upper(name)} {\n${indented('    ', [joined(pieces).trimEnd()])}\n}\n`,
    comment: (text) => `// ${text}`,
    constant: (name, value) => `static final int ${name} = ${value};`,
    fn: (name, parameters, result, statements = []) =>
      braces(
        `static int ${name}(${list(parameters, (each) => `int ${each}`)})`,
        [...statements, `return ${result};`],
        '    ',
      ),
    predicate: (name, parameter, test) =>
      braces(`static boolean ${name}(int ${parameter})`, [`return ${test};`], '    '),
    variable: (name, value) => `int ${name} = ${value};`,
    call: (module, name, args) => `${upper(module)}.${name}(${list(args)})`,
    use: () => '',
  },
};

/** A name of several words as the language writes it. */
export function nameOf(language: CodeLanguage, words: readonly string[]): string {
  if (language === 'Python' || language === 'Rust') return words.join('_');
  return words.map((word, index) => (index === 0 ? word : upper(word))).join('');
}
