import type { Hardware } from '../machine/hardware';
import { progressText, sizeText } from '../download/transferRate';
import type { SetUpStep } from './fetchChoice';
import type { SetUpOffer } from './offer';
import { fetchedBy, type SetUpChoice } from './setUpChoice';

/** For example `in use · here already, from Open Agent · 5.0 GB`. */
export function choiceOrigin({ bytes, from, isInUse = false, updates }: SetUpChoice): string {
  const words = [...(updates === undefined ? [] : [updates]), ...(isInUse ? ['in use'] : []), from, sizeText(bytes)];
  return words.join(' · ');
}

/** For example `fast · on the GPU · needs 8.1 GB with 32k, 5.3 GB with 16k of context · 2.2 GB left`. */
export function choiceNeed({ fit, speed }: SetUpChoice): string {
  const { context, needs, leftBytes, placement } = fit;
  // What it would get comes first.
  const ordered = needs.toSorted((a, b) => Number(b.context === context) - Number(a.context === context));
  const told = ordered.map((one) => `${sizeText(one.totalBytes)} with ${one.context / 1_024}k`);
  // The list in the window cuts what is long.
  return [speed, placeText(placement), `needs ${told.join(', ')} of context`, `${sizeText(leftBytes)} left`].join(
    ' · ',
  );
}

/** What is left out of the list, and why. Empty: nothing. */
export function leftOutText({ tooLarge, tooShort }: Pick<SetUpOffer, 'tooLarge' | 'tooShort'>): string {
  const models = (count: number, verbs: readonly [string, string]): string =>
    `${count} more ${count === 1 ? verbs[0] : verbs[1]}`;
  return [
    ...(tooLarge === 0 ? [] : [`${models(tooLarge, ['does', 'do'])} not fit into this machine`]),
    ...(tooShort === 0
      ? []
      : [`${models(tooShort, ['was', 'were'])} trained for less than the 16k tokens of context that an agent needs`]),
  ].join('; ');
}

/** What is said in place of a list without models. */
export const noChoiceText =
  'No model was found on this machine, and the catalogue holds none that is verified and fits.';

/** The question before anything is fetched: what, from which host, how much, under which licence. */
export function consentText(choice: SetUpChoice, folder: string): string {
  const fetched = fetchedBy(choice);
  const lines = fetched.map(
    ({ what, host, bytes, licence }) => `• ${what}: ${sizeText(bytes)} from ${host}, licence ${licence}`,
  );
  const unchecked =
    choice.model.kind === 'download' && choice.model.sha256 === undefined
      ? ['The host names no checksum for the model, so only its size is checked.']
      : [];
  const total = fetched.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...lines, ...unchecked, `Together ${sizeText(total)}, kept in ${folder}.`].join('\n');
}

/** One line about this machine. */
export function hardwareText({ memoryBytes, gpus, isUnified }: Hardware): string {
  const memory = `${sizeText(memoryBytes)} of memory`;
  if (isUnified) return `${memory}, shared with the GPU`;
  if (gpus.length === 0) return `${memory}, no GPU found`;
  return `${memory}; ${gpus.map(({ name, freeBytes }) => `${name} with ${sizeText(freeBytes)} free`).join(', ')}`;
}

function placeText(placement: SetUpChoice['fit']['placement']): string {
  switch (placement) {
    case 'gpu':
      return 'on the GPU';
    case 'split':
      return 'partly on the GPU';
    case 'processor':
      return 'on the processor';
    default:
      return placement satisfies never;
  }
}

/** Shown when models cannot be run at all. */
export const noProgramText =
  'llama-server, the program that runs models, was not found on this machine, and no verified release of it is known for this system. Install llama.cpp (for example: brew install llama.cpp, winget install llama.cpp, or the package of your system), or name the program.';

/** What happens now, in one line. */
export function stepText(step: SetUpStep): string {
  switch (step.kind) {
    case 'unpacking':
      return 'unpacking llama-server';
    case 'waiting':
      return `${step.why} Trying again in ${Math.ceil(step.waitMs / 1_000)} s.`;
    case 'quiet':
      return `${step.host} has sent nothing for ${step.quietMs / 1_000} seconds.`;
    case 'program':
      return `llama-server: ${progressText(step)}`;
    case 'model':
      return `model: ${progressText(step)}`;
    default:
      return step satisfies never;
  }
}
