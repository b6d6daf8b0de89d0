import * as l10n from '../../../../util/l10n';
import { decimal, fixed } from '../../../../util/locale';
import type { AgentErrorInfo } from '../../../../sdk/errors';
import type { Remedy } from '../../../view/server/doctorReport';
import { withoutServer, type Check } from '../check';
import { noModelsError } from '../../model/chooseModel';
import { MAX_TOKENS, user } from '../testTool';
import type { FoundServer } from '../../probe/serverProbe';

/** Checks that the model exists and answers, and how long it takes. */
export const modelCheck: Check = {
  id: 'model',
  title: () => l10n.t('Model'),
  skip: withoutServer,
  async run(found) {
    const { server, model } = found;
    if (!server || model === '') {
      return {
        status: 'problem',
        detail: server ? noModelsError(server).message : l10n.t('There is no server to ask.'),
      };
    }
    const listing = listingOf(server, model);
    const answer = await found.ask({
      messages: [user('Write the numbers from 1 to 20, separated by spaces, and nothing else.')],
      maxTokens: MAX_TOKENS,
    });
    const { error, firstTokenMs } = answer;
    if (error === undefined || answer.text + answer.thinking !== '') found.answer = answer;
    if (error) {
      const detail = listing === 'unlisted' ? `${unlisted(server, model)} ${error.message}` : error.message;
      return { status: 'problem', detail, remedy: remedyFor(error, listing === 'unlisted') };
    }
    if (answer.text + answer.thinking === '') {
      return {
        status: 'problem',
        detail: l10n.t("{0} answered with nothing. Look at the server's log.", model),
        remedy: other(),
      };
    }
    const wait = firstTokenMs === undefined ? '' : ` ${l10n.t('It began to answer after {0}.', seconds(firstTokenMs))}`;
    if (listing === 'unlisted') {
      return {
        status: 'advice',
        detail: `${unlisted(server, model)} ${l10n.t('It answers anyway.')}${wait}`,
        remedy: other(),
      };
    }
    const load = listing === 'unloaded' ? ` ${l10n.t('The wait includes loading the model.')}` : '';
    return { status: 'ok', detail: `${l10n.t('{0} answers.', model)}${wait}${load}` };
  },
};

const other = (): Remedy => ({ text: l10n.t('Choose a model that the server lists.'), action: 'selectModel' });

function listingOf({ models }: FoundServer, model: string): 'listed' | 'unlisted' | 'unloaded' {
  const listed = models.find(({ id }) => id === model || id === `${model}:latest`);
  if (!listed) return 'unlisted';
  return listed.isLoaded === false ? 'unloaded' : 'listed';
}

const MAX_NAMED = 5;

function unlisted({ models }: FoundServer, model: string): string {
  const names = models.slice(0, MAX_NAMED).map(({ id }) => id);
  const named = names.join(', ');
  if (models.length > MAX_NAMED)
    return l10n.t('The server does not list {0}, but {1} and {2} more.', model, named, models.length - MAX_NAMED);
  return named === ''
    ? l10n.t('The server does not list {0}, but nothing.', model)
    : l10n.t('The server does not list {0}, but {1}.', model, named);
}

function remedyFor(error: AgentErrorInfo, isUnlisted: boolean): Remedy | undefined {
  if (error.code === 'unauthorized') return { text: l10n.t('Set the API key of this server.'), action: 'setApiKey' };
  if (isUnlisted || error.code === 'not_found') return other();
  return { text: l10n.t("Look at the server's log: the model may not fit into memory, or its file may be broken.") };
}

/** `less than 0.1 s`, `0.4 s`, `12 s`. */
function seconds(ms: number): string {
  if (ms < 100) return l10n.t('less than {0} s', decimal(0.1));
  return l10n.t('{0} s', ms < 10_000 ? fixed(ms / 1000) : Math.round(ms / 1000));
}
