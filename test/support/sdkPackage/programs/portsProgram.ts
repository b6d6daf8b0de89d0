/** The coding tools with ports of the program's own: files in memory, no processes. */
export const portsProgram = `
import { Client, resultOf } from 'open-agent-sdk';
import { StaleFileError, TextDecodeError, createNodePorts, openWorkspace, type ApprovalQuestion, type CommandOutcome, type CommandPlan,
  type CommandRunner, type DirectoryEntry, type EditPlan, type FileStat, type FileSystem, type GuardedPath, type MatchKind, type McpPlan, type OpenText,
  type PermissionMode, type ReadPlan, type Root, type TextMatch, type TextQuery, type TextSearch, type TextSearchOutcome,
  type WorkspaceOptions, type WorkspacePlan, type WorkspacePorts } from 'open-agent-sdk/workspace';

const root: Root = { name: 'app', path: '/app' };
const files = new Map([['/app/notes.txt', 'Buy milk.\\n']]);

const stat = async (path: string): Promise<FileStat | undefined> => {
  const text = files.get(path);
  if (text !== undefined) return { kind: 'file', size: text.length, modifiedMs: 0 };
  return path === root.path || path === '/' ? { kind: 'directory', size: 0, modifiedMs: 0 } : undefined;
};
const fileSystem: FileSystem = {
  stat,
  realPath: async (path) => ((await stat(path)) ? path : undefined),
  readSlice: async (path, offset, maxBytes) => new TextEncoder().encode(files.get(path)).subarray(offset, offset + maxBytes),
  listDirectory: async (): Promise<readonly DirectoryEntry[]> =>
    [...files.keys()].map((path) => ({ name: path.slice(root.path.length + 1), kind: 'file', isSymbolicLink: false })),
  openText: async (path): Promise<OpenText> => {
    const text = files.get(path) ?? '';
    if (text.includes('\\0')) throw new TextDecodeError(path + ' is not text.');
    return { text, isDirty: false };
  },
  writeText: async (path, text, expected) => {
    if ((files.get(path) ?? null) !== expected) throw new StaleFileError(path + ' has changed.');
    files.set(path, text);
  },
};
const commandRunner: CommandRunner = {
  shellName: 'bash',
  run: async ({ command }): Promise<CommandOutcome> => ({ exitCode: 0, signalName: null, ended: 'exited', output: 'ran ' + command, omittedBytes: 0 }),
};
const textSearch: TextSearch = {
  search: async ({ pattern }: TextQuery): Promise<TextSearchOutcome> => {
    const matches: TextMatch[] = [...files].flatMap(([path, text]) => (text.includes(pattern) ? [{ path, line: 1, text }] : []));
    return { matches, isCut: false };
  },
};

const placeOf = ({ displayPath }: GuardedPath): string => displayPath;
const describeRead = ({ target }: ReadPlan): string => 'read ' + placeOf(target);
const exactly: MatchKind = 'exact';
const describeEdit = ({ operation, target, match }: EditPlan): string =>
  operation + ' ' + placeOf(target) + (match === exactly ? ', exactly quoted' : '');
const describeCommand = ({ command }: CommandPlan): string => 'run ' + command;
const describeMcp = ({ server, tool }: McpPlan): string => server + ' ' + tool;
function describe(plan: WorkspacePlan | McpPlan): string {
  if (plan.kind === 'read') return describeRead(plan);
  if (plan.kind === 'edit') return describeEdit(plan);
  return plan.kind === 'command' ? describeCommand(plan) : describeMcp(plan);
}

export async function main(baseUrl: string): Promise<readonly string[]> {
  const said: string[] = [createNodePorts().commandRunner.shellName === '' ? 'no shell' : 'a shell'];
  const ports: WorkspacePorts = { fileSystem, commandRunner, textSearch };
  let mode: PermissionMode = 'plan';
  const ask = async ({ plan, isSensitive = false }: ApprovalQuestion) => {
    said.push(describe(plan) + (isSensitive ? '!' : ''));
    return { action: 'allow' } as const;
  };
  const options: WorkspaceOptions = { ports, mode: () => mode, ask };
  const workspace = openWorkspace(root.path, options);
  await using client = new Client({ model: 'test-model', baseUrl, ...workspace, autoExecuteTools: true, maxToolIterations: 9 });
  const outcomes = (prompt: string) =>
    resultOf(client.run(prompt), (event) => event.type === 'tool_execution_end' && said.push(event.result.toolName + ' ' + event.outcome));
  await outcomes('Plan it.');
  mode = 'ask';
  await outcomes('Do it.');
  await fileSystem.writeText('/app/notes.txt', 'New.', 'Old.').catch((error: unknown) => said.push(String(error instanceof StaleFileError)));
  files.set('/app/data', '\\0');
  await fileSystem.openText('/app/data').catch((error: unknown) => said.push(String(error instanceof TextDecodeError)));
  said.push(JSON.stringify(files.get('/app/notes.txt')));
  return said;
}
`;
