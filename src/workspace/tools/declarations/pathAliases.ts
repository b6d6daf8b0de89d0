/** Names models use for the `path` of any tool. */
export const PATH_ALIASES = {
  file_path: 'path',
  filepath: 'path',
  filePath: 'path',
  file: 'path',
  filename: 'path',
  file_name: 'path',
  target_file: 'path',
  absolute_path: 'path',
  relative_path: 'path',
  relative_workspace_path: 'path',
  dir: 'path',
  directory: 'path',
  folder: 'path',
  dir_path: 'path',
  directory_path: 'path',
} as const;
