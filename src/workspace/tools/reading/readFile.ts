import type { Preparation, ToolOutput } from '../../../sdk/tool';
import { linesOf } from '../../edits/lineEnds';
import { readNotices } from '../../edits/readNotices';
import type { ReadPlan } from '../../plans';
import { TextDecodeError } from '../../ports';
import { describeBinary } from '../../textEncoding';
import { findOutput, isOutput } from '../commands/commandOutputs';
import { LineWindow, streamLines } from './lineWindow';
import { findFile, findMoveOf, PATH_ALIASES, type WorkspaceAccess } from '../workspaceAccess';
import { workspaceTool } from '../workspaceTool';

const MAX_LINES = 400;
const MAX_CHARS = 24_000;
/** Bigger files are read in pieces. */
const MAX_LOADED_BYTES = 2_000_000;
const SNIFFED_BYTES = 8192;

interface ReadQuery {
  readonly startLine: number;
  /** `undefined`: as many lines as one call may return. */
  readonly endLine: number | undefined;
}

/** Returns plain text without line numbers, so that a model can quote it exactly. */
export const createReadFileTool = workspaceTool(
  'read_file',
  `Read a text file, up to ${MAX_LINES} lines at once.`,
  {
    path: 'string',
    start_line: { type: 'integer', optional: true },
    end_line: { type: 'integer', optional: true },
  },
  {
    async prepare({ path, start_line = 1, end_line }, access): Promise<Preparation<ReadPlan>> {
      const found = isOutput(path) ? await findOutput(path, access) : await findFile(path, access);
      if (!found.ok) return found;
      const startLine = Math.max(1, start_line);
      // Models write 0 or -1 for "to the end".
      const endLine = end_line === undefined || end_line < 1 ? undefined : end_line;
      if (endLine !== undefined && endLine < startLine) {
        return { ok: false, error: `end_line ${endLine} is before start_line ${startLine}.` };
      }
      return { ok: true, plan: { kind: 'read', target: found.target, query: { startLine, endLine } } };
    },
    run: (plan, access, { signal }) => readLines(plan, access, signal),
  },
  {
    aliases: [
      'file_read',
      'view_file',
      'open_file',
      'cat',
      'read',
      'view',
      'readFile',
      'get_file_contents',
      'read_text_file',
    ],
    parameterAliases: {
      ...PATH_ALIASES,
      start: 'start_line',
      line_start: 'start_line',
      startLine: 'start_line',
      from_line: 'start_line',
      offset: 'start_line',
      end: 'end_line',
      line_end: 'end_line',
      endLine: 'end_line',
      to_line: 'end_line',
    },
  },
);

async function readLines(
  { target, query }: ReadPlan,
  access: WorkspaceAccess,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { startLine, endLine } = query as ReadQuery;
  const { commandOutputs } = access.ports;
  const outputs = isOutput(target.path) ? commandOutputs : undefined;
  const fileSystem = outputs ?? access.ports.fileSystem;
  const file = target.displayPath;
  const moved = outputs ? undefined : await findMoveOf(target, access);
  if (moved !== undefined) return failure(moved);
  const { realPath } = target;
  const stat = await fileSystem.stat(realPath);
  if (!stat) return failure(`"${file}" does not exist.`);
  const head = await fileSystem.readSlice(realPath, 0, SNIFFED_BYTES);
  if (head.includes(0)) return failure(describeNoText(file, head, stat.size));

  const window = new LineWindow({ startLine, endLine: endLine ?? startLine + MAX_LINES - 1, maxChars: MAX_CHARS });
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

function describeWindow(
  file: string,
  window: LineWindow,
  {
    startLine,
    isComplete,
    isDirty,
  }: { readonly startLine: number; readonly isComplete: boolean; readonly isDirty: boolean },
): ToolOutput {
  const { lines, count } = window;
  if (isComplete && count === 0) return { content: `${file} is empty.` };
  if (lines.length === 0) return failure(`${file} has only ${count} lines; start_line ${startLine} is after its end.`);

  const lastLine = startLine + lines.length - 1;
  const total = isComplete ? String(count) : `more than ${count}`;
  const isWhole = isComplete && startLine === 1 && lastLine === count;
  const range = isWhole ? `${count} ${count === 1 ? 'line' : 'lines'}` : `lines ${startLine}-${lastLine} of ${total}`;
  const header = `${file} (${range}${isDirty ? ', with unsaved changes' : ''}):`;
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
