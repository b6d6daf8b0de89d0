import type { JsonObject } from '../../../util/json';
import { tool, type Preparation, type Tool } from '../../../sdk/tool';
import { FileLines } from '../../edits/fileLines';
import { inStyleOf } from '../../edits/lineEnds';
import { findNumberedLine } from '../../edits/lineNumbers';
import { findPlaceholder } from '../../edits/placeholders';
import { findReadNotice } from '../../edits/readNotices';
import { guardPath } from '../../paths/guardPath';
import { isReadingProtected } from '../../paths/protectedPaths';
import type { EditPlan } from '../../plans';
import { openForChange, prepareEdit } from './openForChange';
import { findFile, PATH_ALIASES, withNormalizedInput, type WorkspaceAccess } from '../workspaceAccess';
import { writeEdit } from './writeEdit';

/** Creates a file and its folders, or replaces a whole file and keeps its line ends and byte order mark. */
export function createWriteFileTool(access: WorkspaceAccess): Tool {
  const strict = tool(
    'write_file',
    'Create a file or replace all of it. To change a part, use apply_edit.',
    { path: 'string', content: 'string' },
    {
      async prepare({ path, content }): Promise<Preparation<EditPlan>> {
        const roots = access.roots();
        const guarded = await guardPath(path, { roots, fileSystem: access.ports.fileSystem, outside: 'mark' });
        if (!guarded.ok) return guarded;
        const target = guarded.path;
        if (!target.exists) {
          if (/[\\/]$/.test(path))
            return { ok: false, error: `"${path}" names a folder. Give the path of a file in it.` };
          const gap = describeGap(content, undefined);
          if (gap !== undefined) return { ok: false, error: gap };
          const plan: EditPlan = {
            kind: 'edit',
            operation: 'create',
            target,
            before: null,
            after: content,
            proposed: content,
          };
          return { ok: true, plan };
        }
        return prepareEdit(target, async () => {
          const found = await findFile(path, access);
          if (!found.ok) return found;
          const opened = await openForChange(found, access);
          if (!opened.ok) return opened;
          const file = new FileLines(opened.text);
          const gap = describeGap(content, file);
          if (gap !== undefined) return { ok: false, error: gap };
          const after = inStyleOf(opened.text, content);
          // For a protected file even this must only be told after a question.
          if (after === opened.text && !isReadingProtected(target))
            return { ok: false, error: `${target.displayPath} already has exactly this content.` };
          const lostLines = countLoss(file.count, new FileLines(after).count);
          const texts = { before: opened.text, after, proposed: after };
          return { ok: true, plan: { kind: 'edit', operation: 'overwrite', target, ...texts, lostLines } };
        });
      },
      run: (plan, { signal }) => writeEdit(plan, access, signal),
    },
    {
      touches: ({ target }) => target.realPath,
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
  return withNormalizedInput(strict, writeJsonAsText);
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
