import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import type { DoctorWord } from './doctorWord';
import type { TemplateRow } from './templateRow';

const start = '<!-- The live tests write this table. -->';
const end = '<!-- End of the table. -->';

/** A row with what the doctor says of the template. */
export type ExaminedRow = TemplateRow & { readonly doctor: DoctorWord };

/** Writes rows into the table of chat templates in docs/servers.md. Those of other templates stay. */
export async function updateTemplateTable(rows: readonly ExaminedRow[]): Promise<void> {
  const file = path.join(projectRoot, 'docs', 'servers.md');
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/servers.md has no place for the table of templates.');
  await writeFile(
    file,
    `${text.slice(0, from)}${start}\n\n${formatTable(rows, text.slice(from, to))}\n\n${text.slice(to)}`,
  );
}

const oneCall = 'one call in a message';

function formatTable(rows: readonly ExaminedRow[], before: string): string {
  const written = rows.map(({ name, tools, learned, stepRatio, nextMessage, doctor }) => [
    name,
    [tools, ...learned.filter((words) => words !== oneCall)].join(', '),
    learned.includes(oneCall) ? 'split' : 'together',
    stepRatio?.toFixed(2) ?? 'rewritten',
    nextMessage?.toString() ?? 'rewritten',
    doctor.words,
  ]);
  const head = [
    'Template',
    'Tool calls',
    'Parallel calls',
    'Read at steps',
    'Read at the next prompt',
    'The doctor says',
  ];
  const others = before
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
    .filter(([name]) => rows.every((row) => row.name !== name));
  const table = [head, ...[...others, ...written].sort(([one = ''], [other = '']) => (one < other ? -1 : 1))];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(table[0] ?? []), rule, ...table.slice(1).map(line)].join('\n');
}
