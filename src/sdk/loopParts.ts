import type { ResolvedOptions } from './configuration/options';
import { providerOf } from './configuration/providers';
import { samplingOf } from './configuration/sampling';
import { ContextBudget } from './context/contextBudget';
import { guardLoops } from './model/http/guardLoops';
import type { AgentLoopParts } from './run/agentLoop';
import { Conversation } from './run/conversation';
import { OpenToolCalls } from './run/toolCalls/openToolCalls';
import { SteeringQueue } from './run/turn/steeringQueue';
import { createToolRegistry } from './run/toolCalls/toolRegistry';
import { compileOutputSchema } from './schema/structuredOutput';
import { systemTimer } from '../util/timer';

/** How long a stopped tool may take to report what it did. Longer than a command, which is killed after two seconds. */
const stopGraceMs = 2_500;

/** Makes the parts of a client out of its options. Throws `invalid_options` for unusable tools, schemas and URLs. */
export function createLoopParts(options: ResolvedOptions): AgentLoopParts {
  const { hooks, approvalHook, model, outputSchema, replayReasoning } = options;
  const registry = createToolRegistry(options.tools, options);
  const tools = registry.definitions;
  const output = outputSchema && compileOutputSchema(outputSchema);
  const provider = guardLoops(providerOf(options));
  return {
    conversation: new Conversation(options.history),
    provider,
    budget: new ContextBudget({ provider, compaction: options.compaction }),
    request: {
      model,
      systemPrompt: [options.systemPrompt, output?.instruction].filter(Boolean).join('\n\n'),
      tools,
      sampling: samplingOf(options),
      ...(replayReasoning !== 'auto' && { replayReasoning }),
      ...(output && tools.length === 0 && { responseFormat: { name: 'answer', schema: output.jsonSchema } }),
    },
    output,
    maxOutputCorrections: options.maxOutputCorrections,
    tools: {
      registry,
      preToolUse: [...(hooks.PreToolUse ?? []), ...(approvalHook ? [approvalHook] : [])],
      postToolUse: hooks.PostToolUse ?? [],
      stopGraceMs,
      setTimer: systemTimer,
    },
    stopHooks: options.autoExecuteTools ? (hooks.Stop ?? []) : [],
    autoExecuteTools: options.autoExecuteTools,
    toolChoice: options.toolChoice,
    maxToolIterations: options.maxToolIterations,
    maxRepeatedCalls: options.maxRepeatedCalls,
    steering: new SteeringQueue(),
    openToolCalls: new OpenToolCalls(),
  };
}
