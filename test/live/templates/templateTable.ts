import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import type { TemplateRow } from './templateRow';

const start = '<!-- The live tests write this table. -->';
const end = '<!-- End of the table. -->';

/** Writes the table of chat templates into docs/servers.md. */
export async function updateTemplateTable(rows: readonly TemplateRow[]): Promise<void> {
  const file = path.join(projectRoot, 'docs', 'servers.md');
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/servers.md has no place for the table of templates.');
  await writeFile(file, `${text.slice(0, from)}${start}\n\n${formatTable(rows)}\n\n${text.slice(to)}`);
}

function formatTable(rows: readonly TemplateRow[]): string {
  const cells = rows.map(({ name, tools, learned, stepRatio, nextMessage }) => [
    name,
    tools,
    learned.length === 0 ? '' : learned.join(', '),
    stepRatio?.toFixed(2) ?? 'rewritten',
    nextMessage?.toString() ?? 'rewritten',
  ]);
  const table = [['Template', 'Tool calls', 'Learned', 'Read at steps', 'Read at the next prompt'], ...cells];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(table[0] ?? []), rule, ...table.slice(1).map(line)].join('\n');
}
