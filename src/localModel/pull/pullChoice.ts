import * as l10n from '../../util/l10n';
import { SetUpError } from '../download/setUpError';
import { findModelFiles, type FindOptions } from '../installed/modelFiles';
import { choiceOfFile, type OwnModelOptions } from '../setUp/ownModel';
import type { SetUpChoice } from '../setUp/setUpChoice';
import { pulledFile, pullModel, type Pull, type PullOptions } from './pullModel';

/**
 * Has a model pulled after a clear yes of the person, and makes a choice of its file. Rejects with a text for people when that fails, or
 * when the model does not fit.
 */
export async function pullChoice(
  pull: Pull,
  machine: FindOptions & OwnModelOptions,
  options: PullOptions,
): Promise<SetUpChoice> {
  const before = await findModelFiles(machine);
  await pullModel(pull, options);
  const found = pulledFile(pull, before, await findModelFiles(machine));
  if (!found) {
    throw new SetUpError(
      'program',
      l10n.t(
        '{0} is here, but no new GGUF file of it was found. Choose it from the list, or serve it with its own program.',
        pull.name,
      ),
    );
  }
  const choice = await choiceOfFile(found.file, machine);
  return { ...choice, id: `file:${found.name}`, name: found.name, from: l10n.t('from {0}', found.from) };
}
