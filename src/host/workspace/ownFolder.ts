import { homedir } from 'node:os';
import path from 'node:path';

/** The user's own folder, for prompt files and skills of all workspaces. */
export const ownFolder = path.join(homedir(), '.open-agent');
