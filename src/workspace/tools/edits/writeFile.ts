import type { JsonObject } from '../../../util/json';
import type { Planned, Preparation, Tool } from '../../../sdk/tool';
import { FileLines } from '../../edits/fileLines';
import { inStyleOf } from '../../edits/lineEnds';
import { findNumberedLine } from '../../edits/lineNumbers';
import { findPlaceholder } from '../../edits/placeholders';
import { findReadNotice } from '../../edits/readNotices';
import { guardPath } from '../../paths/guardPath';
import { isNameProtected } from '../../paths/protectedPaths';
import type { EditPlan, GuardedPath } from '../../plans';
import type { DecidedFile } from './readForEdit';
import { PATH_ALIASES, withNormalizedInput, type WorkspaceAccess } from '../workspaceAccess';
import { workspaceTool } from '../workspaceTool';
import { loadProblems, writeEdit } from './writeEdit';

const strict = workspaceTool(
  'write_file',
  'Create a file or replace all of it.',
  { path: 'string', content: 'string' },
  {
    async prepare({ path, content }, access): Promise<Preparation<EditPlan>> {
      const roots = access.roots();
      const guarded = await guardPath(path, { roots, fileSystem: access.ports.fileSystem, outside: 'mark' });
      if (!guarded.ok) return guarded;
      const target = guarded.path;
      // Whether a file exists is told only where its name may be known.
      if (!target.exists && !isNameProtected(target)) return planCreation(target, path, content);
      return access.readForEdit(target, (file) =>
        file.target.exists ? planReplacement(file, content) : planCreation(file.target, path, content),
      );
    },
    run: (plan, access, context) => writeEdit(plan, access, context.signal, context.waitForGroup),
  },
  {
    touches: ({ target }) => target.realPath,
    preload: loadProblems,
    aliases: [
      'create_file',
      'file_write',
      'save_file',
      'write',
      'write_to_file',
      'writeFile',
      'new_file',
      'overwrite_file',
    ],
    parameterAliases: {
      ...PATH_ALIASES,
      contents: 'content',
      text: 'content',
      file_text: 'content',
      file_content: 'content',
      code: 'content',
      data: 'content',
    },
  },
);

/** Creates a file and its folders, or replaces a whole file and keeps its line ends and byte order mark. */
export function createWriteFileTool(access: WorkspaceAccess): Tool {
  return withNormalizedInput(strict(access), writeJsonAsText);
}

async function planCreation(target: GuardedPath, given: string, content: string): Promise<Planned<EditPlan>> {
  if (/[\\/]$/.test(given)) return { ok: false, error: `"${given}" names a folder. Give the path of a file in it.` };
  const gap = describeGap(content, undefined);
  if (gap !== undefined) return { ok: false, error: gap };
  const texts = { before: null, after: content, proposed: content };
  return { ok: true, plan: { kind: 'edit', operation: 'create', target, ...texts } };
}

async function planReplacement({ target, open }: DecidedFile, content: string): Promise<Planned<EditPlan>> {
  const opened = await open();
  if (!opened.ok) return opened;
  const { text: before } = opened;
  const file = new FileLines(before);
  const gap = describeGap(content, file);
  if (gap !== undefined) return { ok: false, error: gap };
  const after = inStyleOf(before, content);
  if (after === before) return { ok: false, error: `${target.displayPath} already has exactly this content.` };
  const lostLines = countLoss(file.count, new FileLines(after).count);
  const texts = { before, after, proposed: after };
  return { ok: true, plan: { kind: 'edit', operation: 'overwrite', target, ...texts, lostLines } };
}

/** The error for a content that is not the whole file. */
function describeGap(content: string, file: FileLines | undefined): string | undefined {
  const notice = findReadNotice(file, content);
  if (notice !== undefined) {
    return `"${notice}" is a note of read_file, not part of the file, and the rest of the file would be lost. Nothing was written. Read the rest, or use apply_edit.`;
  }
  const numbered = findNumberedLine(file, content);
  if (numbered !== undefined) {
    return `"${numbered}" starts with a line number, which is not part of the file. Nothing was written. Leave the numbers out.`;
  }
  const placeholder = findPlaceholder(content, file);
  if (placeholder === undefined) return undefined;
  const way = file ? 'Use apply_edit for the parts that change' : 'Write the file in full';
  return `"${placeholder}" stands for code that is missing. Nothing was written. ${way}.`;
}

const MIN_LOST_LINES = 10;
const MIN_LOST_SHARE = 0.4;

/** How many lines a file loses; `undefined` if they are few, or a small part of it. */
function countLoss(before: number, after: number): number | undefined {
  const lost = before - after;
  return lost >= MIN_LOST_LINES && lost >= before * MIN_LOST_SHARE ? lost : undefined;
}

/** As the content of a JSON file, models send the object itself. */
function writeJsonAsText(input: JsonObject): JsonObject {
  const { content } = input;
  if (typeof content !== 'object' || content === null) return input;
  return { ...input, content: `${JSON.stringify(content, null, 2)}\n` };
}
