// What a person opens, and what few people see. One file of the build: more would mean more requests before the first paint.
export { ContextDetails } from './composer/ContextDetails';
export { ModelMenu } from './composer/ModelMenu';
export { PromptChips } from './composer/context/PromptChips';
export { SentChips } from './composer/context/SentChips';
export { ConnectionHelp } from './server/ConnectionHelp';
export { DoctorView } from './server/DoctorView';
export { McpBanner } from './server/McpBanner';
export { SessionList } from './sessions/SessionList';
export { PlanBar } from './composer/PlanBar';
export { WaitingPrompts } from './composer/WaitingPrompts';
export { ReadOnlyBar } from './sessions/ReadOnlyBar';
