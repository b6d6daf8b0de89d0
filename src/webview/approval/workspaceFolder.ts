/** Whether the display path of a folder means the workspace folder. */
export function isWorkspaceFolder(displayPath: string): boolean {
  return displayPath === '' || displayPath === '.';
}
