import type { OpenToolCalls } from './openToolCalls';
import {
  askAgain,
  askHooks,
  planCall,
  preload,
  type Decision,
  type PlannedCall,
  type ReadyCall,
  type RefusedCall,
} from './toolRunner';
import type { ToolRunnerParts } from './toolRunner';
import type { ToolUseBlock } from '../../messages';
import type { Call } from './call';

export interface AskedTogetherParts {
  readonly tools: ToolRunnerParts;
  readonly openToolCalls: OpenToolCalls;
  /** All calls of one response, in order. */
  readonly calls: readonly Call[];
}

type Answer = Promise<Decision>;

/**
 * Asks the hooks about several calls of one response at the same time: successive calls that touch different things
 * (`Tool.touches`). Any other call waits for the ones before it, because they may change what it reads.
 */
export class AskedTogether {
  readonly #parts: AskedTogetherParts;
  readonly #answers = new Map<Call, Answer>();
  readonly #decided = new Set<Call>();
  readonly #stop = new AbortController();

  constructor(parts: AskedTogetherParts) {
    this.#parts = parts;
  }

  /**
   * Plans the call and asks the hooks. Call it for each call in order, after the ones before it had their effects. Never
   * rejects.
   */
  async decide(call: ToolUseBlock, runSignal: AbortSignal): Answer {
    const signal = this.#signalOf(call, runSignal);
    const known = this.#answers.get(call);
    if (known) return known;
    const { tools, calls } = this.#parts;
    const group: (readonly [ToolUseBlock, PlannedCall])[] = [];
    const touched = new Set<string>();
    const first = await planCall(tools, call, signal);
    if (!first.ok) return first;
    for (const next of calls.slice(calls.indexOf(call))) {
      // A call that cannot be planned now may be when the others have run.
      const planned = next === call ? first : await this.#plan(next, runSignal);
      const name = planned?.ok ? nameOf(planned) : undefined;
      if (next.type !== 'tool_use' || !planned?.ok || name === undefined || touched.has(name)) break;
      touched.add(name);
      group.push([next, planned]);
    }
    if (group.length < 2) return askHooks(tools, call, first, signal);
    for (const [one, planned] of group) {
      this.#answers.set(one, this.#ask(one, planned, this.#signalOf(one, runSignal)));
    }
    return this.#answers.get(call) ?? askHooks(tools, call, first, signal);
  }

  /** Whether the call was asked about together with others. */
  isAsked(call: Call): boolean {
    return this.#answers.has(call);
  }

  /** Whether the hooks have answered about a call that was asked about together with others. */
  isDecided(call: ToolUseBlock): boolean {
    return this.#decided.has(call);
  }

  /**
   * Asks once more, directly before the call runs, if calls before it took time: rules, mode or trust may have changed
   * meanwhile. `isLate`: so for a call that was asked about alone. Never rejects.
   */
  async confirm(
    call: ToolUseBlock,
    ready: ReadyCall,
    { runSignal, isLate }: { readonly runSignal: AbortSignal; readonly isLate: boolean },
  ): Promise<ReadyCall | RefusedCall> {
    return isLate || this.#answers.has(call) ? askAgain(call, ready, this.#signalOf(call, runSignal)) : ready;
  }

  /** Withdraws the open questions: their calls will not be reached. */
  stop(): void {
    this.#stop.abort();
  }

  async #ask(call: ToolUseBlock, planned: PlannedCall, signal: AbortSignal): Answer {
    const answer = await askHooks(this.#parts.tools, call, planned, signal);
    this.#decided.add(call);
    if (answer.ok) await preload(call, answer, signal);
    return answer;
  }

  async #plan(call: Call, runSignal: AbortSignal): Promise<PlannedCall | RefusedCall | undefined> {
    if (call.type !== 'tool_use') return undefined;
    const { tools } = this.#parts;
    // Do not read anything for a call that cannot be asked together with others.
    if (!tools.registry.find(call.name)?.touches) return undefined;
    return planCall(tools, call, this.#signalOf(call, runSignal));
  }

  #signalOf(call: ToolUseBlock, runSignal: AbortSignal): AbortSignal {
    const own = this.#parts.openToolCalls.signalOf(call.id) ?? runSignal;
    return AbortSignal.any([own, this.#stop.signal]);
  }
}

function nameOf({ tool, planned }: PlannedCall): string | undefined {
  try {
    return tool.touches?.(planned.plan);
  } catch {
    // An unknown plan: the call waits for its turn.
    return undefined;
  }
}
