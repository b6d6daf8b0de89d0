import * as z from 'zod';
import type { WorkspaceMemory } from '../../workspace/memory';

const KEY = 'openAgent.chatTabs';
/** The tabs of other windows of the workspace, and those that VS Code closed without the extension. */
const MAX_TABS = 20;

/** The values of each tab, the tab that changed last at the end. */
const Kept = z.array(z.object({ id: z.string(), values: z.record(z.string(), z.unknown()) })).catch([]);

/** What one chat in an editor keeps for the next window. */
export interface TabMemory extends WorkspaceMemory {
  /** Forgets all: the tab is closed. */
  clear(): PromiseLike<void>;
}

export function tabMemory(memory: WorkspaceMemory, id: string): TabMemory {
  const all = () => Kept.parse(memory.get(KEY) ?? []);
  const others = () => all().filter((tab) => tab.id !== id);
  const own = (): Readonly<Record<string, unknown>> => all().find((tab) => tab.id === id)?.values ?? {};
  return {
    get(key) {
      const values = own();
      return Object.hasOwn(values, key) ? values[key] : undefined;
    },
    update: (key, value) =>
      memory.update(KEY, [...others(), { id, values: { ...own(), [key]: value } }].slice(-MAX_TABS)),
    clear: () => memory.update(KEY, others()),
  };
}
