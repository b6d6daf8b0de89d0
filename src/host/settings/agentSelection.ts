import * as z from 'zod';
import type { AgentSettings } from '../../agent/configuration/agentSettings';
import { permissionModes, settableModes, type PermissionMode } from '../../agent/view/permissionModes';
import { chooseAgent, type ChosenAgent } from '../../agent/configuration/chooseAgent';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { WorkspaceMemory } from '../workspace/memory';

const memoryKey = 'openAgent.agentChoice';

/** An unreadable value counts as none. */
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
  /** Forgets the chosen model: the newly chosen profile or agent names one. */
  readonly forgetModel: () => Promise<void>;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The person's choice of profile, agent and mode in this workspace. Kept in the user's storage, never in the workspace.
 */
export class AgentSelection implements Disposable {
  readonly #parts: AgentSelectionParts;
  readonly #changes: Emitter<void>;
  #hasSandbox = false;

  constructor(parts: AgentSelectionParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells when the person chooses. Changed settings are not told. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Settings and choice together, read anew at each call. */
  get current(): ChosenAgent {
    const { permissionMode, ...choice } = this.#choice;
    const isKept = permissionMode !== undefined && (permissionMode !== 'sandbox' || this.#hasSandbox);
    return chooseAgent(this.#parts.settings(), { ...choice, ...(isKept && { permissionMode }) });
  }

  /** The modes to choose from. */
  get modes(): readonly PermissionMode[] {
    return this.#hasSandbox ? permissionModes : settableModes;
  }

  /** Whether the sandbox was tried in this window and works. Until then, and where it does not, its mode cannot be used. */
  offerSandbox(works: boolean): void {
    if (works === this.#hasSandbox) return;
    this.#hasSandbox = works;
    this.#changes.emit();
  }

  /** The profiles and agents to choose from. */
  get offered(): Pick<AgentSettings, 'profiles' | 'agents'> {
    const { profiles, agents } = this.#parts.settings();
    return { profiles, agents };
  }

  /** Empty: no profile, only the settings. */
  async chooseProfile(profile: string): Promise<void> {
    await this.#keep({ ...this.#choice, profile }, true);
  }

  /** Also takes the agent's profile and mode, where it has them. Empty: no agent. */
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
    if (this.modes.includes(permissionMode)) await this.#keep({ ...this.#choice, permissionMode }, false);
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
