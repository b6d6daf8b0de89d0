/** Whether a file has the name of a notebook. */
export function isNotebookPath(path: string): boolean {
  return /\.ipynb$/i.test(path);
}
