import type { Preparation, ToolOutput } from '../../../sdk/tool';
import { linesOf } from '../../edits/lineEnds';
import { readNotices } from '../../edits/readNotices';
import type { ReadPlan } from '../../plans';
import { readCellText, readOutputText } from '../../notebooks/notebookFiles';
import { isNotebookPath } from '../../notebooks/notebookPath';
import { TextDecodeError, type CellText, type OpenText } from '../../ports';
import { describeBinary } from '../../textEncoding';
import { isImage, readImage } from './readImage';
import { findOutput, isOutput } from '../commands/commandOutputs';
import { LineWindow, streamLines } from './lineWindow';
import { findFile, findMoveOf, type Found, type PathAccess, type WorkspaceAccess } from '../workspaceAccess';
import { findSkill, skillNamed } from './ownSkills';
import { MAX_LINES, readFileDeclaration } from '../declarations/readFile';
import { workspaceTool } from '../workspaceTool';

const MAX_CHARS = 24_000;
/** Bigger files are read in pieces. */
const MAX_LOADED_BYTES = 2_000_000;
const SNIFFED_BYTES = 8192;

interface ReadQuery {
  readonly startLine: number;
  /** `undefined`: as many lines as one call may return. */
  readonly endLine: number | undefined;
  /** The outputs of a notebook's cells, not its cells. */
  readonly ofOutputs: boolean;
}

/** Returns plain text without line numbers, so that a model can quote it exactly. */
export const createReadFileTool = workspaceTool(readFileDeclaration, {
  async prepare({ path, start_line = 1, end_line }, access): Promise<Preparation<ReadPlan>> {
    const found = await find(path, access);
    if (!found.ok) return found;
    const startLine = Math.max(1, start_line);
    // Models write 0 or -1 for "to the end".
    const endLine = end_line === undefined || end_line < 1 ? undefined : end_line;
    const ofOutputs = outputsNamed(path) !== undefined;
    if (endLine !== undefined && endLine < startLine) {
      return { ok: false, error: `end_line ${endLine} is before start_line ${startLine}.` };
    }
    return { ok: true, plan: { kind: 'read', target: found.target, query: { startLine, endLine, ofOutputs } } };
  },
  run: (plan, access, { signal }) => readLines(plan, access, signal),
});

function find(path: string, access: PathAccess): Promise<Found> {
  const skill = skillNamed(path);
  if (skill !== undefined) return findSkill(skill, access);
  const notebook = outputsNamed(path);
  if (notebook !== undefined) return findFile(notebook, access);
  return isOutput(path) ? findOutput(path, access) : findFile(path, access);
}

async function readLines(
  { target, query }: ReadPlan,
  access: WorkspaceAccess,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { startLine, endLine, ofOutputs } = query as ReadQuery;
  const skill = skillNamed(target.path);
  if (skill !== undefined) return readSkill(skill, startLine, endLine, access);
  const { commandOutputs } = access.ports;
  const outputs = isOutput(target.path) ? commandOutputs : undefined;
  const fileSystem = outputs ?? access.ports.fileSystem;
  const file = target.displayPath;
  const moved = outputs ? undefined : await findMoveOf(target, access);
  if (moved !== undefined) return failure(moved);
  const { realPath } = target;
  const stat = await fileSystem.stat(realPath);
  if (!stat) return failure(`"${file}" does not exist.`);
  if (ofOutputs) return describeOutputs(file, await readOutputText(realPath, access.ports), { startLine, endLine });
  const notebook = outputs ? undefined : await readCellText(realPath, access.ports);
  if (notebook) return describeCells(file, notebook, { startLine, endLine });
  const head = await fileSystem.readSlice(realPath, 0, SNIFFED_BYTES);
  if (access.takesImages?.() && isImage(head)) return readImage(target, stat.size, access);
  if (head.includes(0)) return failure(describeNoText(file, head, stat.size));

  const window = windowOf({ startLine, endLine });
  let isComplete = true;
  let isDirty = false;
  try {
    if (stat.size > MAX_LOADED_BYTES) {
      isComplete = (await streamLines(realPath, fileSystem, window, signal)).reachedEnd;
    } else {
      const opened = await fileSystem.openText(realPath);
      isDirty = opened.isDirty;
      for (const line of linesOf(opened.text)) window.add(line);
    }
  } catch (error) {
    if (error instanceof TextDecodeError) return failure(describeNoText(file, head, stat.size));
    throw error;
  }
  return describeWindow(file, window, { startLine, isComplete, isDirty });
}

/** Other than a file, it is small. */
async function readSkill(
  name: string,
  startLine: number,
  endLine: number | undefined,
  { ports }: WorkspaceAccess,
): Promise<ToolOutput> {
  const file = `skill:${name}`;
  const text = await ports.ownSkills?.read(name);
  if (text === undefined) return failure(`There is no skill "${name}" any more.`);
  const window = windowOf({ startLine, endLine });
  for (const line of linesOf(text)) window.add(line);
  return describeWindow(file, window, { startLine, isComplete: true, isDirty: false });
}

/** The notebook whose outputs are named, as in `a.ipynb:outputs`; `undefined`: something else is named. */
function outputsNamed(path: string): string | undefined {
  const file = path.endsWith(OUTPUTS) ? path.slice(0, -OUTPUTS.length) : '';
  return isNotebookPath(file) ? file : undefined;
}

const OUTPUTS = ':outputs';

type Range = Pick<ReadQuery, 'startLine' | 'endLine'>;

function describeOutputs(file: string, found: OpenText | undefined, query: Range): ToolOutput {
  if (!found) return failure(`${file} is no notebook that can be read.`);
  const { text, isDirty } = found;
  if (text === '') return { content: `The cells of ${file} have no outputs.` };
  const window = windowOf(query);
  for (const line of linesOf(text)) window.add(line);
  return describeWindow(`${file}${OUTPUTS}`, window, { startLine: query.startLine, isComplete: true, isDirty });
}

function describeCells(file: string, { text, isDirty, cells, withOutputs }: CellText, query: Range): ToolOutput {
  if (cells === 0) return { content: `${file} is a notebook without cells.` };
  const window = windowOf(query);
  for (const line of linesOf(text)) window.add(line);
  const left = withOutputs === 0 ? '' : `, outputs of ${withOutputs} in ${file}${OUTPUTS}`;
  const note = `; "# %% [language]" begins each of ${cells} notebook cells${left}`;
  return describeWindow(file, window, { startLine: query.startLine, isComplete: true, isDirty, note });
}

function windowOf({ startLine, endLine }: Range): LineWindow {
  return new LineWindow({ startLine, endLine: endLine ?? startLine + MAX_LINES - 1, maxChars: MAX_CHARS });
}

function describeWindow(
  file: string,
  window: LineWindow,
  {
    startLine,
    isComplete,
    isDirty,
    note = '',
  }: {
    readonly startLine: number;
    readonly isComplete: boolean;
    readonly isDirty: boolean;
    readonly note?: string;
  },
): ToolOutput {
  const { lines, count } = window;
  if (isComplete && count === 0) return { content: `${file} is empty.` };
  if (lines.length === 0) return failure(`${file} has only ${count} lines; start_line ${startLine} is after its end.`);

  const lastLine = startLine + lines.length - 1;
  const total = isComplete ? String(count) : `more than ${count}`;
  const isWhole = isComplete && startLine === 1 && lastLine === count;
  const range = isWhole ? `${count} ${count === 1 ? 'line' : 'lines'}` : `lines ${startLine}-${lastLine} of ${total}`;
  const header = `${file} (${range}${isDirty ? ', with unsaved changes' : ''}${note}):`;
  const notes: string[] = [];
  if (window.isLineCut) notes.push(readNotices.lineCut(lastLine, MAX_CHARS));
  if (!isComplete || lastLine < count) notes.push(readNotices.more(lastLine + 1));
  return { content: [header, ...lines, ...notes].join('\n') };
}

function describeNoText(file: string, head: Uint8Array, size: number): string {
  return `${file} is ${describeBinary(head)} of ${size} bytes. read_file reads UTF-8 text only.`;
}

function failure(content: string): ToolOutput {
  return { content, isError: true };
}
