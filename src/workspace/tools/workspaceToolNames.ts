/** The names of the tools of `createTools`, including the ones that need an editor. */
export const workspaceToolNames: readonly string[] = [
  'read_file',
  'list_directory',
  'search_text',
  'get_diagnostics',
  'apply_edit',
  'write_file',
  'run_terminal_command',
  'find_symbol',
];

/** Tools that are offered only where a language server answers. */
export const languageServerTools: readonly string[] = ['find_symbol'];
