import type { AskModelParts } from '../agent/servers/askModel';
import type { OutputLog } from './outputLog';
import type { WindowModels } from './openWindowModels';

/** What single answers of the window's model need, such as commit messages. */
export function answeringModel(models: WindowModels, log: OutputLog): AskModelParts {
  return {
    ...models.access,
    // The server in use may be one that only `server` knows, such as the laptop's.
    settings: () => ({ ...models.settings(), baseUrl: models.server.target.baseUrl }),
    serverAt: (baseUrl) => models.server.serverAt(baseUrl),
    logger: log,
    note: (message) => log.info(message),
  };
}
