import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

/** A call reads no more. */
export const MAX_LINES = 400;

export const readFileDeclaration = declareTool({
  name: 'read_file',
  description: `Read a text file, up to ${MAX_LINES} lines at once.`,
  shape: {
    path: 'string',
    start_line: { type: 'integer', optional: true },
    end_line: { type: 'integer', optional: true },
  },
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
});
