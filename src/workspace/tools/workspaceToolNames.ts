/** The names of the tools of `createTools`, including the ones that need an editor. */
export const workspaceToolNames: readonly string[] = [
  'read_file',
  'list_directory',
  'search_text',
  'get_diagnostics',
  'apply_edit',
  'write_file',
  'run_terminal_command',
];
