/**
 * The names of the agent's own tools, and what else models call them. Written out, because the tools themselves are much to
 * load; a test compares.
 */
export const ownToolNames: readonly string[] = [
  ...['read_file', 'file_read', 'view_file', 'open_file', 'cat', 'read', 'view', 'readFile', 'get_file_contents'],
  ...['read_text_file', 'list_directory', 'ls', 'dir', 'list_dir', 'list_files', 'list_folder', 'list'],
  ...['view_directory', 'list_directory_contents', 'search_text', 'grep', 'grep_search', 'search', 'search_files'],
  ...['search_file_content', 'find_text', 'ripgrep', 'rg', 'search_code', 'get_diagnostics', 'diagnostics'],
  ...['get_errors', 'read_lints', 'get_problems', 'apply_edit', 'edit', 'edit_file', 'str_replace'],
  ...['str_replace_editor', 'str_replace_based_edit_tool', 'replace', 'replace_in_file', 'search_replace'],
  ...['multi_edit', 'apply_diff', 'modify_file', 'write_file', 'create_file', 'file_write', 'save_file', 'write'],
  ...['write_to_file', 'writeFile', 'new_file', 'overwrite_file', 'run_terminal_command', 'execute_bash', 'bash'],
  ...['run_command', 'execute_command', 'shell', 'run_shell_command', 'terminal', 'run_in_terminal', 'sh', 'exec'],
  ...['powershell', 'run_bash'],
];
