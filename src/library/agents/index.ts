/** `open-agent-sdk/agents`: named agents, their profiles, and runs with typed answers. */
export { parseProfile, type LlmProfile } from '../../sdk/configuration/profiles';
export { createAgentClient, type AgentSetup } from './agentClient';
export { defineAgent, parseAgent, type AgentDefinition } from './agentDefinition';
export { agentTool, runAgent, type AgentRunOptions } from './runAgent';
