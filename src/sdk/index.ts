export { Client } from './client';
export type { ClientOptions, CompactOptions, RunOptions, ToolResultOptions, TurnMetadata } from './clientOptions';
export {
  readSettingsFile,
  resolveConfiguration,
  type Configuration,
  type ConfigurationSources,
  type ConnectionSettings,
} from './configuration/configuration';
export type { SamplingOptions } from './configuration/samplingOptions';
export { aggregateChunks, type AggregateOptions } from './convert/aggregateChunks';
export { fromOpenAIMessages, fromOpenAITools, type ImportedConversation } from './convert/fromOpenAI';
export type { OpenAIMessage, OpenAIPart, OpenAITool, OpenAIToolCall } from './convert/openaiTypes';
export { toOpenAIMessages, toOpenAITools, type OpenAIMessagesOptions } from './convert/toOpenAI';
export { applyCompaction } from './context/applyCompaction';
export type { CompactionOptions, CountTokens } from './context/compactionOptions';
export type { PromptSections } from './context/promptSections';
export { estimateTokens, type TokenCount } from './context/tokenCount';
export { truncateMessages, type TruncateOptions } from './context/truncateMessages';
export { AgentError, type AgentErrorCode, type AgentErrorInfo } from './errors';
export type {
  AgentEvent,
  Compaction,
  CompactionReason,
  GoneServer,
  ModelStatus,
  PromptProgress,
  ResponseEvent,
  RetryNotice,
  RunOutcome,
  ToolOutcome,
  UserMessageOrigin,
  WarningCode,
} from './events';
export type { AgentExecutionResult, FinalResponse, RejectedOutput, RunEvents } from './executionResult';
export type {
  BeforeRun,
  HookDecision,
  Hooks,
  PostToolUseEvent,
  PostToolUseHook,
  PreToolUseDecision,
  PreToolUseEvent,
  PreToolUseHook,
  StopDecision,
  StopEvent,
  StopHook,
  UserPromptSubmitDecision,
  UserPromptSubmitEvent,
  UserPromptSubmitHook,
} from './hooks';
export type * from './messages';
export type { ModelLogger } from './model/modelLogger';
export type {
  ModelEvent,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ReplayReasoning,
  ResponseFormat,
  Sampling,
  ToolDefinition,
} from './model/modelProvider';
export type { RequestOptions } from './model/requestOptions';
export { providerUrls } from './model/http/baseUrl';
export { createOpenAIProvider, type OpenAIProviderOptions } from './model/openaiProvider';
export { noQuirks, type QuirkMemory, type ServerQuirks } from './model/wire/serverQuirks';
export { withRetry, type RetryOptions } from './model/http/retryingProvider';
export type { AgentOptions } from './configuration/agentOptions';
export {
  parseProfile,
  resolveProfile,
  type LlmProfile,
  type ProfileOptions,
  type ProfileOverrides,
} from './configuration/profiles';
export { query, type QueryOptions } from './query';
export { resultOf } from './resultOf';
export type { EntryBody, EntryOf, SessionEntry } from './session/entries';
export { createImageFolder } from './session/images/lazyImageFolder';
export { createImageStore, type ImageFiles, type ImageStore } from './session/images/imageStore';
export type { StoredImage } from './session/images/storedImage';
export type { ImageMediaType } from '../util/images/imageHeader';
export { SessionElsewhere, type LogLock } from './session/logLock';
export type { LogFile, LogStorage } from './session/logStorage';
export type { LogProblem } from './session/readEntries';
export { branchOf, replayMessages, type Replay } from './session/replay';
export { openSession } from './session/openSession';
export type { Session } from './session/session';
export type { SessionOptions } from './session/sessionOptions';
export type { StandardSchema } from './schema/standardSchema';
export type { OutputSchema, OutputSchemaOf } from './schema/structuredOutput';
export {
  tool,
  type Planned,
  type Preparation,
  type ReadingFirst,
  type PreparedTool,
  type Tool,
  type ToolContext,
  type ToolFunction,
  type ToolOptions,
  type ToolOutput,
} from './tool';
export type { InputOf, ShortField, ShortType, ToolShape } from './schema/toolShape';
export { parseWaitingRun } from './waiting/parseWaitingRun';
export type { WaitingAnswer } from './waiting/waitingAnswers';
export type { WaitingCall } from './waiting/waitingCall';
export type { WaitingRun } from './waiting/waitingRun';
export type { Validation } from './schema/toolSchema';
export type { Fetch, Signal } from './platform';
export type { JsonObject, JsonValue } from '../util/json';
