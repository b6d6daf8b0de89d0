/** Values kept for this workspace in the user's storage: `ExtensionContext.workspaceState`, or a fake. */
export interface WorkspaceMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
