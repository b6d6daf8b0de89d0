import type { ModelStatus } from '../../sdk/events';

/** What a screen says while the agent waits for the model, without a full stop. */
export const statusTexts: Readonly<Record<ModelStatus, string>> = {
  queued: 'Waiting for the model server',
  connecting: 'Connecting to the model server',
  loading_model: 'Loading the model',
  prefilling: 'Reading the prompt',
  generating: 'Answering',
  stalled: 'The server has sent nothing for a while',
};
