import * as z from 'zod';
import { once } from '../../util/lazy';
import { optionalSampling } from './sampling';

/** The schemas of an agent's fields, which panel, command line and programs share. Made on first use. */
export const agentFields = once(() => {
  const names = z.array(z.string().min(1)).readonly();
  return {
    id: z.string().min(1).max(100),
    /** For people, in the list of agents. */
    description: z.string().optional(),
    /** The end of the system prompt, instead of the text of the profile and the settings. */
    prompt: z.string().optional(),
    /** The id of its profile. */
    profile: z.string().min(1).optional(),
    /** Instead of the profile's model. */
    model: z.string().min(1).optional(),
    /** Only these tools; absent: all. */
    includeTools: names.optional(),
    /** Never these, even if they are included. */
    excludeTools: names.optional(),
    /**
     * The MCP servers and extensions (by id, or `vscode`) whose tools it may use; absent: all. Its own tools always
     * count.
     */
    allowedServers: names.optional(),
    maxToolIterations: z.int().min(1).max(1000).optional(),
    /** The most prompts in a session with this agent. */
    maxTurns: z.int().min(1).optional(),
    ...optionalSampling(),
  };
});
