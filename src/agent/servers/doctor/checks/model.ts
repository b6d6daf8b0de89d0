import type { AgentErrorInfo } from '../../../../sdk/errors';
import type { Remedy } from '../../../view/server/doctorReport';
import { withoutServer, type Check } from '../check';
import { noModelsError } from '../../model/chooseModel';
import { MAX_TOKENS, user } from '../testTool';
import type { FoundServer } from '../../probe/serverProbe';

/** Checks that the model exists and answers, and how long it takes. */
export const modelCheck: Check = {
  id: 'model',
  title: 'Model',
  skip: withoutServer,
  async run(found) {
    const { server, model } = found;
    if (!server || model === '') {
      return { status: 'problem', detail: server ? noModelsError(server).message : 'There is no server to ask.' };
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
      return { status: 'problem', detail: `${model} answered with nothing. Look at the server's log.`, remedy: other };
    }
    const wait = firstTokenMs === undefined ? '' : ` It began to answer after ${seconds(firstTokenMs)}.`;
    if (listing === 'unlisted') {
      return { status: 'advice', detail: `${unlisted(server, model)} It answers anyway.${wait}`, remedy: other };
    }
    const load = listing === 'unloaded' ? ' The wait includes loading the model.' : '';
    return { status: 'ok', detail: `${model} answers.${wait}${load}` };
  },
};

const other: Remedy = { text: 'Choose a model that the server lists.', action: 'selectModel' };

function listingOf({ models }: FoundServer, model: string): 'listed' | 'unlisted' | 'unloaded' {
  const listed = models.find(({ id }) => id === model || id === `${model}:latest`);
  if (!listed) return 'unlisted';
  return listed.isLoaded === false ? 'unloaded' : 'listed';
}

const MAX_NAMED = 5;

function unlisted({ models }: FoundServer, model: string): string {
  const names = models.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = models.length > MAX_NAMED ? ` and ${models.length - MAX_NAMED} more` : '';
  return `The server does not list ${model}, but ${names.join(', ') || 'nothing'}${more}.`;
}

function remedyFor(error: AgentErrorInfo, isUnlisted: boolean): Remedy | undefined {
  if (error.code === 'unauthorized') return { text: 'Set the API key of this server.', action: 'setApiKey' };
  if (isUnlisted || error.code === 'not_found') return other;
  return { text: "Look at the server's log: the model may not fit into memory, or its file may be broken." };
}

/** `less than 0.1 s`, `0.4 s`, `12 s`. */
function seconds(ms: number): string {
  if (ms < 100) return 'less than 0.1 s';
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
