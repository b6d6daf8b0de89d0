/** The further entries. */
export const entriesProgram = `
import { chmod, writeFile } from 'node:fs/promises';
import { agentTool, createAgentClient, defineAgent, parseAgent, parseProfile, runAgent, type AgentDefinition, type AgentRunOptions, type AgentSetup,
  type LlmProfile } from 'open-agent-sdk/agents';
import { connectMcpServers, type McpConnections, type McpOptions, type McpProcess,
  type McpServerTable, type McpTool, type McpUrl } from 'open-agent-sdk/mcp';
import { ReadOnlyFileError, createNodePorts, openWorkspace, type ApprovalAnswer, type ApprovalRules, type CommandRequest, type Confinement,
  type FileKind, type FileSystem, type ProtectedLinks, type GrammarSource,
  type Workspace } from 'open-agent-sdk/workspace';

export async function main(baseUrl: string, folder: string): Promise<readonly string[]> {
  const said: string[] = [];
  const teller: AgentDefinition = defineAgent({ id: 'teller', prompt: 'You tell.', model: 'test-model' });
  const local: LlmProfile = parseProfile({ id: 'local', baseUrl, model: 'test-model' });
  const base: AgentSetup = { profiles: [local] };
  const setup: AgentRunOptions = { ...base, onEvent: ({ type }) => type === 'run_end' && said.push(type) };
  said.push((await runAgent(teller, 'Hello?', setup)).primaryText);

  const lead = parseAgent({ id: 'lead', prompt: 'You ask others.' });
  await using client = createAgentClient(lead, { ...base, tools: [agentTool(teller, base)] });
  const asked: string = client.options.systemPrompt;
  said.push(asked);

  const program: McpProcess = { command: folder + '/no-such-program' };
  const url: McpUrl = { url: 'http://127.0.0.1:9/mcp' };
  const mcpOptions: McpOptions = { allowMissing: true, startTimeoutMs: 20_000 };
  const table: McpServerTable = { program, url };
  const mcp: McpConnections = await connectMcpServers(table, mcpOptions);
  const mcpTools: readonly McpTool[] = mcp.tools;
  said.push(mcpTools.map(({ server }) => server).length + ' tools, ' + mcp.problems.length + ' problems');
  await mcp.close();

  const rules: ApprovalRules = { deny: ['tool:write_file'] };
  const answer: ApprovalAnswer = { action: 'deny' };
  const shellGrammars: GrammarSource = { module: () => { throw new Error('not installed'); }, read: async () => new Uint8Array() };
  const workspace: Workspace = openWorkspace(folder, { rules, ask: async () => answer, shellGrammars });
  const event = { type: 'PreToolUse', toolUseId: 'c1', input: {}, signal: new AbortController().signal } as const;
  const decision = await workspace.approvalHook({ ...event, toolName: 'write_file', plan: undefined });
  said.push(workspace.tools.length > 4 ? 'tools' : 'none', JSON.stringify(decision && 'reason' in decision ? decision.action : decision));
  const { commandRunner, fileSystem: files } = createNodePorts();
  const protectedLinks = async (): Promise<ProtectedLinks> => ({ names: [], isComplete: true });
  const fileSystem: FileSystem = { ...files, protectedLinks };
  const confinement: Confinement = { allowsNetwork: false, writable: [folder] };
  const request: CommandRequest = { command: 'echo ran', cwd: folder, timeoutMs: 20_000, confinement };
  const confined = await commandRunner.run(request, { signal: event.signal, onOutput: () => {} });
  said.push('confined: ' + confined.ended);
  await writeFile(folder + '/kept.txt', 'old');
  await chmod(folder + '/kept.txt', 0o444);
  const kind: FileKind | undefined = (await fileSystem.stat(folder))?.kind;
  const failed: unknown = await fileSystem.writeText(folder + '/kept.txt', 'new', 'old').catch((error: unknown) => error);
  said.push(String(kind), String(failed instanceof ReadOnlyFileError));
  return said;
}
`;
