import type { OpenAgentApi } from './openAgentApi';
import { callingExtension, type InstalledExtension } from './callingExtension';
import type { RegisteredTools } from './registeredTools';

export interface ApiParts {
  readonly tools: RegisteredTools;
  /** All installed extensions, read at each call. */
  readonly extensions: () => readonly InstalledExtension[];
  readonly ownId: string;
}

/** Creates the API that `activate()` returns to other extensions. */
export function createApi({ tools, extensions, ownId }: ApiParts): OpenAgentApi {
  return Object.freeze<OpenAgentApi>({
    version: 1,
    registerTool(tool) {
      const caller = callingExtension(new Error('registerTool').stack ?? '', extensions(), ownId);
      if (caller === undefined) {
        throw new Error(
          'registerTool: call it from your extension’s own code, so that people can be told whose tool it is.',
        );
      }
      return tools.add(tool, caller);
    },
  });
}
