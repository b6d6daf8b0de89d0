import * as z from 'zod';
import type { AgentSettings } from '../../agent/configuration/agentSettings';
import { permissionModes, type PermissionMode } from '../../agent/approval/permissions';
import { chooseAgent, type ChosenAgent } from '../../agent/configuration/chooseAgent';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { WorkspaceMemory } from '../workspace/memory';

const memoryKey = 'openAgent.agentChoice';

/** One that cannot be read counts as none. */
const Choice = z
  .object({
    profile: z.string().optional(),
    agent: z.string().optional(),
    permissionMode: z.enum(permissionModes).optional(),
  })
  .catch({});

type Choice = z.infer<typeof Choice>;

export interface AgentSelectionParts {
  readonly memory: WorkspaceMemory;
  readonly settings: () => AgentSettings;
  /** Forgets the model that was chosen: the profile or agent that is chosen now says which. */
  readonly forgetModel: () => Promise<void>;
  readonly onInternalError: (error: unknown) => void;
}

/** Which profile, agent and mode the person wants in this workspace; kept in the user's storage, never in the workspace. */
export class AgentSelection implements Disposable {
  readonly #parts: AgentSelectionParts;
  readonly #changes: Emitter<void>;

  constructor(parts: AgentSelectionParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells that the person chose something. Changed settings are not told. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** What counts now, with the settings of now. */
  get current(): ChosenAgent {
    return chooseAgent(this.#parts.settings(), this.#choice);
  }

  /** The profiles and agents there are to choose from. */
  get offered(): Pick<AgentSettings, 'profiles' | 'agents'> {
    const { profiles, agents } = this.#parts.settings();
    return { profiles, agents };
  }

  /** An empty id: the settings, without a profile. */
  async chooseProfile(profile: string): Promise<void> {
    await this.#keep({ ...this.#choice, profile }, true);
  }

  /** With the agent come its profile and, if it says one, its mode. An empty id: none. */
  async chooseAgent(agent: string): Promise<void> {
    const { profile, permissionMode, ...rest } = this.#choice;
    const definition = this.offered.agents.find(({ id }) => id === agent);
    const isModeKept = permissionMode !== undefined && definition?.permissionMode === undefined;
    const isProfileKept = profile !== undefined && definition?.profile === undefined;
    await this.#keep(
      { ...rest, agent, ...(isModeKept && { permissionMode }), ...(isProfileKept && { profile }) },
      definition?.profile !== undefined || definition?.model !== undefined,
    );
  }

  async chooseMode(permissionMode: PermissionMode): Promise<void> {
    await this.#keep({ ...this.#choice, permissionMode }, false);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  get #choice(): Choice {
    return Choice.parse(this.#parts.memory.get(memoryKey) ?? {});
  }

  async #keep(choice: Choice, saysModel: boolean): Promise<void> {
    if (saysModel) await this.#parts.forgetModel();
    await this.#parts.memory.update(memoryKey, choice);
    this.#changes.emit();
  }
}
