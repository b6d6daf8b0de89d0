import type { Lazy } from '../util/lazy';
import type { AgentHost } from './agentHost';

/** The part of the extension that is loaded on first use. */
export type LazyHost = Lazy<AgentHost>;
