import { isJsonObject, type JsonValue } from '../../util/json';
import { cleanTerminalText } from '../terminalLines';

/** One output of a cell. `types`: the forms that it has and that are no text, such as `image/png`. */
export interface CellOutput {
  readonly text: string;
  readonly types: readonly string[];
}

/** The outputs of one cell of code. */
export interface CellOutputs {
  /** Counted from 1, over cells of all kinds. */
  readonly cell: number;
  readonly outputs: readonly CellOutput[];
}

const MAX_OUTPUT = 4_000;
const MAX_TYPES = 5;

/** The outputs as text, cell by cell. Terminal colours and long middles are left out; other forms are named. */
export function renderOutputs(cells: readonly CellOutputs[]): string {
  return cells
    .map(({ cell, outputs }) => [`# Outputs of cell ${cell}`, ...outputs.map(renderOutput)].join('\n'))
    .join('\n');
}

/** One output as Jupyter stores it. `undefined`: it is none. */
export function readOutput(raw: JsonValue): CellOutput | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { output_type: kind, text, data, ename, evalue, traceback } = raw;
  if (kind === 'stream') return { text: textOf(text), types: [] };
  if (kind === 'error') {
    const lines = textOf(Array.isArray(traceback) ? traceback.map((line) => `${textOf(line)}\n`) : '');
    return { text: lines === '' ? `${textOf(ename)}: ${textOf(evalue)}` : lines, types: [] };
  }
  return isJsonObject(data) ? outputOf(Object.entries(data).map(([type, value]) => [type, textOf(value)])) : undefined;
}

/** The output with these forms, each with its text. */
export function outputOf(forms: readonly (readonly [type: string, text: string])[]): CellOutput {
  const shown = TEXTS.map((type) => forms.find(([own]) => own === type)).find((form) => form !== undefined);
  const types = forms.map(([type]) => type).filter((type) => type !== shown?.[0]);
  return { text: shown?.[1] ?? '', types };
}

/** The forms that are text, the best one for a model first. */
const TEXTS = [
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
  'application/vnd.code.notebook.error',
  'text/plain',
  'text/markdown',
  'text/html',
];

function renderOutput({ text, types }: CellOutput): string {
  const clean = cleanTerminalText(text).trimEnd();
  const half = MAX_OUTPUT / 2;
  const shown = clean.length > MAX_OUTPUT ? `${clean.slice(0, half)}\n… (cut) …\n${clean.slice(-half)}` : clean;
  const named = types.slice(0, MAX_TYPES).join(', ');
  const others = types.length === 0 ? [] : [`[not shown: ${named}${types.length > MAX_TYPES ? ', …' : ''}]`];
  return [...(shown === '' ? [] : [shown]), ...others].join('\n');
}

/** Jupyter stores a text whole, or as a list of lines. */
function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}
