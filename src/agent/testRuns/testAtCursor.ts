/** The test around a line of a file. */
export interface TestAtCursor {
  /** As its source names it. */
  readonly name: string;
  /** The name of the class around it, where tests are methods. */
  readonly group?: string | undefined;
  /** 1-based. */
  readonly line: number;
}

export type TestLanguage = 'javascript' | 'python' | 'go' | 'rust' | 'ruby' | 'elixir' | 'php';

const MAX_LINE = 500;

/**
 * The innermost test, or group of tests, that holds a line, told by the indentation. `undefined`: none, or one whose name is
 * computed. `line`: 1-based.
 */
export function testAtCursor(text: string, line: number, language: TestLanguage): TestAtCursor | undefined {
  const lines = text.split(/\r\n|\r|\n/, line);
  const [first = ''] = lines.slice(-1);
  /** Of the code that the next line above has to hold. */
  let depth = first.trim() === '' ? Infinity : indentOf(first) + 1;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const source = (lines[index] ?? '').slice(0, MAX_LINE);
    // A brace on a line of its own belongs to the line above it.
    if (/^\s*\{?\s*$/.test(source) || indentOf(source) >= depth) continue;
    const name = nameIn(source, lines[index - 1] ?? '', language);
    if (name !== undefined) {
      const group = language === 'python' ? groupAbove(lines.slice(0, index), indentOf(source)) : undefined;
      return { name, group, line: index + 1 };
    }
    // At its closing bracket the cursor is still in a test.
    if (index === lines.length - 1 && /^\s*[)\]}]/.test(source)) continue;
    depth = indentOf(source);
    if (depth === 0) return undefined;
  }
  return undefined;
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function nameIn(line: string, above: string, language: TestLanguage): string | undefined {
  switch (language) {
    case 'javascript':
      return literalIn(
        /^\s*(?:await\s+)?(?:it|test|describe|suite|specify|context)(?:\.\w+)*\(\s*(["'`])/.exec(line),
        line,
      );
    case 'ruby':
      return literalIn(/^\s*(?:RSpec\.)?(?:it|specify|describe|context|test)[\s(]+(["'])/.exec(line), line);
    case 'elixir':
      return literalIn(/^\s*(?:test|describe)[\s(]+(")/.exec(line), line);
    case 'python':
      return (
        /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/.exec(line)?.[1] ?? /^\s*class\s+(Test\w*|\w+Tests?)\b/.exec(line)?.[1]
      );
    case 'go':
      return /^func\s+((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(/.exec(line)?.[1];
    case 'rust':
      return /^\s*#\[(?:\w+::)?test\b/.test(above)
        ? /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/.exec(line)?.[1]
        : undefined;
    case 'php':
      return /^\s*(?:public\s+)?function\s+(test\w*)\s*\(/.exec(line)?.[1];
    default:
      return language satisfies never;
  }
}

/** The literal whose quote ends the match. `undefined`: it does not end on the line, or has parts that are computed. */
function literalIn(found: RegExpExecArray | null, line: string): string | undefined {
  const [start, quote] = found ?? [];
  if (start === undefined || quote === undefined) return undefined;
  let name = '';
  for (let index = start.length; index < line.length; index += 1) {
    const letter = line[index];
    if (letter === quote) return name === '' ? undefined : name;
    if (quote === '`' && line.startsWith('${', index)) return undefined;
    if (letter === '\\') index += 1;
    name += line[index] ?? '';
  }
  return undefined;
}

function groupAbove(lines: readonly string[], depth: number): string | undefined {
  const above = lines.findLast((line) => line.trim() !== '' && indentOf(line) < depth);
  return above === undefined ? undefined : /^\s*class\s+(\w+)/.exec(above.slice(0, MAX_LINE))?.[1];
}
