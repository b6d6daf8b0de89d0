import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

export const listDirectoryDeclaration = declareTool({
  name: 'list_directory',
  description: 'List a folder.',
  shape: { path: { type: 'string', optional: true } },
  aliases: ['ls', 'dir', 'list_dir', 'list_files', 'list_folder', 'list', 'view_directory', 'list_directory_contents'],
  parameterAliases: PATH_ALIASES,
});
