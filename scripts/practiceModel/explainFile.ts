/** Explains a file from its content alone: its size, its imports, and its declarations with their comments. */
export function explainFile(path: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n');
  const imports = importsOf(lines);
  const declarations = declarationsOf(lines);
  const parts = [`**${path}** has ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}.`];
  if (imports.length > 0) parts.push(`It uses ${imports.map((name) => `\`${name}\``).join(', ')}.`);
  if (declarations.length > 0) {
    parts.push(`It declares:\n\n${declarations.map(describe).join('\n')}`);
    const first = declarations[0];
    if (first !== undefined) parts.push(`The first of them, from line ${first.line}:\n\n${fence(path, first.body)}`);
  } else {
    const headings = lines.filter((line) => /^#{1,3} /.test(line)).map((line) => `- ${line.replace(/^#+ /, '')}`);
    parts.push(
      headings.length > 0
        ? `Its headings:\n\n${headings.join('\n')}`
        : `It begins:\n\n${fence(path, lines.slice(0, 8).join('\n'))}`,
    );
  }
  return parts.join('\n\n');
}

interface Declaration {
  readonly name: string;
  readonly comment: string;
  readonly line: number;
  readonly body: string;
}

function describe({ name, comment, line }: Declaration): string {
  return `- \`${name}\` (line ${line})${comment === '' ? '' : `: ${comment}`}`;
}

function importsOf(lines: readonly string[]): readonly string[] {
  const found = lines.map((line) => /^\s*(?:import|export)\b.*\bfrom\s+['"]([^'"]+)['"]/.exec(line)?.[1]);
  return [...new Set(found.filter((name) => name !== undefined))];
}

const declarationPattern =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|class|interface|type|const|let|def|fn|func)\s+([A-Za-z_$][\w$]*)/;

function declarationsOf(lines: readonly string[]): readonly Declaration[] {
  return lines.flatMap((text, index) => {
    const name = declarationPattern.exec(text)?.[1];
    if (name === undefined) return [];
    const end = lines.findIndex((line, at) => at >= index && /^[}\])]/.test(line));
    const body = lines.slice(index, end === -1 || end - index > 15 ? index + 6 : end + 1).join('\n');
    return [{ name, comment: commentAbove(lines, index), line: index + 1, body }];
  });
}

/** A one-line comment directly above, without its marks. */
function commentAbove(lines: readonly string[], index: number): string {
  const above = lines[index - 1]?.trim() ?? '';
  const text = /^(?:\/\*\*|\/\/|#)\s*(.*?)\s*(?:\*\/)?$/.exec(above)?.[1] ?? '';
  return text.startsWith('@') ? '' : text;
}

function fence(path: string, text: string): string {
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
