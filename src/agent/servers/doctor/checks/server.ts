import * as l10n from '../../../../util/l10n';
import type { AgentErrorInfo } from '../../../../sdk/errors';
import type { Remedy } from '../../../view/server/doctorReport';
import { chooseModel } from '../../model/chooseModel';
import type { Check } from '../check';

/** Checks that the address is a model server, identifies it, and checks the key. */
export const serverCheck: Check = {
  id: 'server',
  title: () => l10n.t('Server'),
  async run(found) {
    if (found.options.baseUrl === '') {
      return {
        status: 'problem',
        detail: l10n.t('No address is set, and no model server answers on the usual ports of this machine.'),
        remedy: {
          text: l10n.t('Start llama.cpp, Ollama, LM Studio or vLLM, or set the address of your server.'),
          setting,
        },
      };
    }
    const probe = await found.probe();
    if (!probe.ok) return { status: 'problem', detail: probe.error.message, remedy: remedyFor(probe.error) };
    found.server = probe;
    if (probe.slots !== undefined) found.options.slots.setSize(probe.baseUrl, probe.slots);
    const choice = chooseModel(probe, found.model);
    if (choice.ok) found.model = choice.model;
    const key = found.options.apiKey ? ` ${l10n.t('It accepts the API key.')}` : '';
    const count = probe.models.length;
    const lists =
      count === 1
        ? l10n.t('{0} answers at {1} and lists 1 model.', probe.name, probe.baseUrl)
        : l10n.t('{0} answers at {1} and lists {2} models.', probe.name, probe.baseUrl, count);
    return { status: 'ok', detail: `${lists}${key}` };
  },
};

const setting = 'openAgent.baseUrl';

function remedyFor(error: AgentErrorInfo): Remedy {
  switch (error.code) {
    case 'unauthorized':
      return { text: l10n.t('Set the API key of this server.'), action: 'setApiKey' };
    case 'model_loading':
      return { text: l10n.t('Wait until the model is loaded, then check again.') };
    case 'no_server':
    case 'connection':
    case 'silent':
      return {
        text: l10n.t(
          'Start the server, or correct its address. With Remote-SSH, WSL or a container, localhost is the remote machine.',
        ),
        setting,
      };
    default:
      return { text: l10n.t('Correct the address. It usually ends in /v1.'), setting };
  }
}
