import type { JsonObject } from '../../../util/json';
import type { EditPlan } from '../../plans';
import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

export const writeFileDeclaration = declareTool({
  name: 'write_file',
  description: 'Create a file or replace all of it.',
  shape: { path: 'string', content: 'string' },
  touches: ({ target }: EditPlan) => target.realPath,
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
  normalize: writeJsonAsText,
});

/** As the content of a JSON file, models send the object itself. */
function writeJsonAsText(input: JsonObject): JsonObject {
  const { content } = input;
  if (typeof content !== 'object' || content === null) return input;
  return { ...input, content: `${JSON.stringify(content, null, 2)}\n` };
}
