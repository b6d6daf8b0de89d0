import type { AskModelParts } from '../agent/servers/askModel';
import { AgentError } from '../sdk/errors';
import type { OutputLog } from './outputLog';
import type { WindowModels } from './openWindowModels';

/** What single answers of the window's model need, such as commit messages. */
export function answeringModel(models: WindowModels, log: OutputLog): AskModelParts {
  return {
    ...models.access,
    // A server from the settings is not probed first.
    prepare: async (signal) => {
      const error = models.settings().baseUrl === '' ? await models.server.wake({ signal }) : undefined;
      if (error) throw new AgentError(error);
    },
    // The server in use may be one that only `server` knows, such as the laptop's.
    settings: () => ({ ...models.settings(), baseUrl: models.server.target.baseUrl }),
    serverAt: (baseUrl) => models.server.serverAt(baseUrl),
    logger: log,
    note: (message) => log.info(message),
  };
}
