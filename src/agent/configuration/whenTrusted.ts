import type { Tool } from '../../sdk/tool';

/**
 * The tool, which in an untrusted workspace looks at nothing: a `prepare` that fails tells the model why, in words that
 * may quote a file or name its neighbours, and no hook is asked. Without a plan there is nothing to allow, so that the
 * approval hook denies the call, and says why.
 */
export function whenTrusted(tool: Tool, isTrusted: () => boolean): Tool {
  return {
    ...tool,
    prepare: async (input, context) => (isTrusted() ? tool.prepare(input, context) : { ok: true, plan: undefined }),
    ...(tool.touches && { touches: (plan) => (plan === undefined ? undefined : tool.touches?.(plan)) }),
  };
}
