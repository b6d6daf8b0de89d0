import type { Stage } from './stages';

/** The named stages and all stages that they need, in the order of `stages`. Throws if a name is unknown. */
export function chooseStages(stages: readonly Stage[], names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) throw new Error(`There is no stage "${unknown.join('", "')}".`);
  const chosen = new Set<string>();
  const choose = (name: string): void => {
    if (chosen.has(name)) return;
    chosen.add(name);
    stages.find((stage) => stage.name === name)?.needs.forEach(choose);
  };
  names.forEach(choose);
  return stages.filter(({ name }) => chosen.has(name));
}
