import { systemPrompt } from '../../src/agent/prompts/system';
import { toWireTools } from '../../src/sdk/model/wire/wireRequest';
import type { JsonObject } from '../../src/util/json';
import { createNodePorts } from '../../src/workspace/node/createNodePorts';
import { createTools } from '../../src/workspace/tools/createTools';

/** What every request begins with: the system prompt and all default tools. */
export interface FixedPart {
  /** A request with it, as it is sent. */
  readonly body: JsonObject;
  /** The characters of each part as JSON, by its name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Their sum. */
  readonly characters: number;
}

/** The fixed part of the requests in VS Code with a language server, which has the most tools. */
export function fixedPart(): FixedPart {
  const root = { name: 'project', path: '/home/user/project' };
  const asked = { findSymbols: unused, symbolsOf: unused, related: unused, hover: unused, rename: unused };
  const codeNavigation = { isReady: unused, load: unused, ...asked };
  const diagnostics = { read: unused, load: unused, watch: unused, known: () => new Map() };
  const ports = { ...createNodePorts(), diagnostics, codeNavigation };
  const tools = toWireTools(createTools({ ports, roots: () => [root] }));
  const system = { role: 'system', content: systemPrompt({ roots: [root], shellName: 'bash', platform: 'linux' }) };
  const sizes = new Map([['system prompt', JSON.stringify(system).length]]);
  for (const tool of tools) sizes.set(tool.function.name, JSON.stringify(tool).length);
  const characters = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const messages = [system, { role: 'user', content: 'Hi' }];
  return { body: { messages, tools } as unknown as JsonObject, sizes, characters };
}

function unused(): never {
  throw new Error('Nothing is run here.');
}
