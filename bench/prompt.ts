import { systemPrompt } from '../src/agent/prompts/system';
import { toWireTools } from '../src/sdk/model/wireMessages';
import { createNodePorts } from '../src/workspace/node/createNodePorts';
import { createTools } from '../src/workspace/tools/createTools';

const MAX_TOKENS = 1_000;
/** Of JSON like this in Qwen2's vocabulary: measured, because the vocabulary itself is megabytes. */
const CHARACTERS_PER_TOKEN = 4.1;

function unused(): never {
  throw new Error('Nothing is run here.');
}

/** How long the part of every request is that a model reads before the first word of a person. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const root = { name: 'project', path: '/home/user/project' };
  // As in VS Code, where there is one tool more.
  const ports = { ...createNodePorts(), diagnostics: { read: unused, watch: unused } };
  const tools = toWireTools(createTools({ ports, roots: () => [root] }));
  const system = { role: 'system', content: systemPrompt({ roots: [root], shellName: 'bash', platform: 'linux' }) };
  const parts = [['system prompt', system] as const, ...tools.map((tool) => [tool.function.name, tool] as const)];
  let characters = 0;
  for (const [name, part] of parts) {
    const { length } = JSON.stringify(part);
    characters += length;
    print(`  ${name}: ${length} characters`);
  }
  const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  print(`The fixed part: ${characters} characters of JSON, about ${tokens} tokens (limit ${MAX_TOKENS}).`);
  return tokens < MAX_TOKENS;
}
