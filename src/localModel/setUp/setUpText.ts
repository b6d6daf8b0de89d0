import type { Hardware } from '../machine/hardware';
import { sizeText } from '../download/transferRate';
import { fetchedBy, type SetUpChoice } from './setUpChoice';

/** For example `5.0 GB on disk · 7.9 GB of memory with 32k of context · fast`. */
export function choiceDetail({ bytes, fit, speed, from }: SetUpChoice): string {
  const memory = `needs ${sizeText(fit.need.totalBytes)} with ${fit.context / 1_024}k of context, ${sizeText(fit.leftBytes)} left`;
  return [from, sizeText(bytes), memory, placeText(fit.placement), speed].join(' · ');
}

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
