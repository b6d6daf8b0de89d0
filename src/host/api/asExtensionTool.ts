import { createExtensionTool, type ExtensionTool } from '../../agent/extensionTools/extensionTool';
import { isJsonObject } from '../../util/json';
import type { RegisteredTool } from './registeredTools';

/** A registered tool among the agent’s, with a name that none of our own has. Its extension’s work begins once a person has agreed. */
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
      const preparation: unknown = await tool.prepare(input, context);
      if (!isJsonObject(preparation)) throw new Error('The tool could not prepare the call.');
      const { ok, error } = preparation;
      if (ok !== true) throw new Error(typeof error === 'string' ? error : 'The tool could not prepare the call.');
      context.signal.throwIfAborted();
      return tool.run(preparation['plan'], context);
    },
  });
}
