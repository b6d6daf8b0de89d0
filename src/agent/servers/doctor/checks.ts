import type { Check } from './check';
import { contextWindowCheck } from './checks/contextWindow';
import { modelCheck } from './checks/model';
import { nativeToolsCheck } from './checks/nativeTools';
import { parallelCallsCheck } from './checks/parallelCalls';
import { promptCacheCheck } from './checks/promptCache';
import { reasoningCheck } from './checks/reasoning';
import { serverCheck } from './checks/server';
import { slotsCheck } from './checks/slots';
import { streamingCheck } from './checks/streaming';
import { textToolsCheck } from './checks/textTools';
import { toolResultCheck } from './checks/toolResult';

/** All checks in order. Each builds on the findings of the earlier ones. */
export const checks: readonly Check[] = [
  serverCheck,
  modelCheck,
  streamingCheck,
  nativeToolsCheck,
  textToolsCheck,
  parallelCallsCheck,
  toolResultCheck,
  reasoningCheck,
  contextWindowCheck,
  promptCacheCheck,
  slotsCheck,
];
