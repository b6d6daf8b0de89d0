/** The parts of the SDK that `bench/stream.ts` measures. */
export { Client } from '../../src/sdk/client';
export { createOpenAIProvider } from '../../src/sdk/model/openaiProvider';
