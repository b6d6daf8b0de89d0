import type { Tool } from '../../sdk/tool';

/**
 * The tool without `prepare` in an untrusted workspace: an error of `prepare` could quote a file or name its neighbours
 * before any hook is asked. Without a plan the approval hook denies the call and says why.
 */
export function whenTrusted(tool: Tool, isTrusted: () => boolean): Tool {
  return {
    ...tool,
    prepare: async (input, context) => (isTrusted() ? tool.prepare(input, context) : { ok: true, plan: undefined }),
    ...(tool.touches && { touches: (plan) => (plan === undefined ? undefined : tool.touches?.(plan)) }),
  };
}
