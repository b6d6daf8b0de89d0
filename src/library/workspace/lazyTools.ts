import type { ToolShape } from '../../sdk/schema/toolShape';
import { tool, type Tool } from '../../sdk/tool';
import type { JsonObject } from '../../util/json';
import type { WorkspacePorts } from '../../workspace/ports';
import { declaredTools } from '../../workspace/tools/declarations/declaredTools';
import { withNormalizedInput, type AnyDeclaration } from '../../workspace/tools/declarations/toolDeclaration';

/** The coding tools as declared. The first call asks `load` for the tools that do the work: those of the same ports. */
export function lazyTools(ports: WorkspacePorts, load: () => Promise<readonly Tool[]>): readonly Tool[] {
  return declaredTools(ports).map((declaration) =>
    lazyTool(declaration, ports, async () => {
      const loaded = (await load()).find(({ name }) => name === declaration.name);
      if (!loaded) throw new Error(`There is no tool ${declaration.name}.`);
      return loaded;
    }),
  );
}

function lazyTool(declaration: AnyDeclaration, ports: WorkspacePorts, load: () => Promise<Tool>): Tool {
  const { name, description, shape, normalize, touches, ...options } = declaration;
  const lazy = tool<ToolShape>(
    name,
    typeof description === 'string' ? description : description(ports),
    shape,
    {
      prepare: async (input, context) => (await load()).prepare(input as JsonObject, context),
      run: async (plan, context) => (await load()).run(plan, context),
    },
    {
      ...options,
      // A plan is one that the tool prepared.
      touches: touches && ((plan) => touches(plan as never)),
      preload: touches && (async (plan, context) => (await load()).preload?.(plan, context)),
    },
  );
  return normalize ? withNormalizedInput(lazy, normalize) : lazy;
}
