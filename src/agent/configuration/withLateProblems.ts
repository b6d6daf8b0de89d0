import type { Tool } from '../../sdk/tool';
import type { SessionProblems } from '../../workspace/sessionProblems';

/** The tool, whose results also tell the problems that were reported since the model's edits. */
export function withLateProblems(tool: Tool, problems: SessionProblems): Tool {
  return {
    ...tool,
    run: async (plan, context) => {
      const output = await tool.run(plan, context);
      if (typeof output.content !== 'string') return output;
      const late = await problems.takeLate(context.signal);
      return late === undefined ? output : { ...output, content: `${output.content}\n[${late}]` };
    },
  };
}
