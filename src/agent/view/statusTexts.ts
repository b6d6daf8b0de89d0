import * as l10n from '../../util/l10n';
import type { ModelStatus } from '../../sdk/events';

/** What a screen says while the agent waits for the model, without a full stop. */
export function statusText(status: ModelStatus): string {
  switch (status) {
    case 'queued':
      return l10n.t('Waiting for the model server');
    case 'connecting':
      return l10n.t('Connecting to the model server');
    case 'loading_model':
      return l10n.t('Loading the model');
    case 'prefilling':
      return l10n.t('Reading the prompt');
    case 'generating':
      return l10n.t('Answering');
    case 'stalled':
      return l10n.t('The server has sent nothing for a while');
  }
}

/** What a screen says while the agent waits for a server that is gone. */
export function goneText(): string {
  return l10n.t('Waiting for the server to come back');
}

/** The same, with the longest wait. */
export function goneTextWithin(longestMs: number): string {
  return l10n.t('Waiting for the server to come back, for up to {0} s', Math.round(longestMs / 1_000));
}
