import { createExtensionTool, type ExtensionTool } from '../../agent/extensionTools/extensionTool';
import { isJsonObject } from '../../util/json';
import type { RegisteredTool } from './registeredTools';

/**
 * Turns a registered tool into a tool of the agent. The prefix keeps its name apart from ours. The extension prepares
 * and runs only after the person has agreed.
 */
export function asExtensionTool({
  name,
  extension,
  description,
  inputSchema,
  tool,
  ended,
}: RegisteredTool): ExtensionTool {
  return createExtensionTool({
    name: `ext__${name}`,
    extension,
    toolName: name,
    description,
    inputSchema,
    ended,
    validate: (input) => tool.validate(input),
    async call(input, context) {
      const prepared: unknown = await tool.prepare(input, context);
      // The person has agreed to the call, and so to what it reads first.
      const preparation = wantsToRead(prepared) ? await prepared.planAfterReading() : prepared;
      if (!isJsonObject(preparation)) throw new Error('The tool could not prepare the call.');
      const { ok, error } = preparation;
      if (ok !== true) throw new Error(typeof error === 'string' ? error : 'The tool could not prepare the call.');
      context.signal.throwIfAborted();
      return tool.run(preparation['plan'], context);
    },
  });
}

function wantsToRead(prepared: unknown): prepared is { readonly planAfterReading: () => unknown } {
  if (typeof prepared !== 'object' || prepared === null || !('planAfterReading' in prepared)) return false;
  return typeof prepared.planAfterReading === 'function';
}
