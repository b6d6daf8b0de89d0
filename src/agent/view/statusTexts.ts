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

/** What a screen says while the agent waits for a server that is gone. */
export const goneText = 'Waiting for the server to come back';

/** The same, with the longest wait. */
export function goneTextWithin(longestMs: number): string {
  return `${goneText}, for up to ${Math.round(longestMs / 1_000)} s`;
}
