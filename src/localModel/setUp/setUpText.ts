import * as l10n from '../../util/l10n';
import type { Hardware } from '../machine/hardware';
import { progressText, sizeText } from '../download/transferRate';
import type { SetUpStep } from './fetchChoice';
import type { SetUpOffer } from './offer';
import { fetchedBy, type SetUpChoice } from './setUpChoice';

/** For example `in use · here already, from Open Agent · 5.0 GB`. */
export function choiceOrigin({ bytes, from, isInUse = false, updates }: SetUpChoice): string {
  const words = [
    ...(updates === undefined ? [] : [updates]),
    ...(isInUse ? [l10n.t('in use')] : []),
    from,
    sizeText(bytes),
  ];
  return words.join(' · ');
}

/** For example `fast · on the GPU · needs 8.1 GB with 32k, 5.3 GB with 16k of context · 2.2 GB left`. */
export function choiceNeed({ fit, speed }: SetUpChoice): string {
  const { context, needs, leftBytes, placement } = fit;
  // What it would get comes first.
  const ordered = needs.toSorted((a, b) => Number(b.context === context) - Number(a.context === context));
  const told = ordered.map((one) => l10n.t('{0} with {1}k', sizeText(one.totalBytes), one.context / 1_024));
  // The list in the window cuts what is long.
  return [
    speed,
    placeText(placement),
    l10n.t('needs {0} of context', told.join(', ')),
    l10n.t('{0} left', sizeText(leftBytes)),
  ].join(' · ');
}

/** What is left out of the list, and why. Empty: nothing. */
export function leftOutText({ tooLarge, tooShort }: Pick<SetUpOffer, 'tooLarge' | 'tooShort'>): string {
  return [
    ...(tooLarge === 0 ? [] : [tooLargeText(tooLarge)]),
    ...(tooShort === 0 ? [] : [tooShortText(tooShort)]),
  ].join('; ');
}

function tooLargeText(count: number): string {
  return count === 1
    ? l10n.t('1 more does not fit into this machine')
    : l10n.t('{0} more do not fit into this machine', count);
}

function tooShortText(count: number): string {
  return count === 1
    ? l10n.t('1 more was trained for less than the 16k tokens of context that an agent needs')
    : l10n.t('{0} more were trained for less than the 16k tokens of context that an agent needs', count);
}

/** What is said in place of a list without models. */
export function noChoiceText(): string {
  return l10n.t('No model was found on this machine, and the catalogue holds none that is verified and fits.');
}

/** The question before anything is fetched: what, from which host, how much, under which licence. */
export function consentText(choice: SetUpChoice, folder: string): string {
  const fetched = fetchedBy(choice);
  const lines = fetched.map(
    ({ what, host, bytes, licence }) =>
      `• ${l10n.t('{0}: {1} from {2}, licence {3}', what, sizeText(bytes), host, licence)}`,
  );
  const unchecked =
    choice.model.kind === 'download' && choice.model.sha256 === undefined
      ? [l10n.t('The host names no checksum for the model, so only its size is checked.')]
      : [];
  const total = fetched.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...lines, ...unchecked, l10n.t('Together {0}, kept in {1}.', sizeText(total), folder)].join('\n');
}

/** One line about this machine. */
export function hardwareText({ memoryBytes, gpus, isUnified }: Hardware): string {
  const memory = sizeText(memoryBytes);
  if (isUnified) return l10n.t('{0} of memory, shared with the GPU', memory);
  if (gpus.length === 0) return l10n.t('{0} of memory, no GPU found', memory);
  const named = gpus.map(({ name, freeBytes }) => l10n.t('{0} with {1} free', name, sizeText(freeBytes)));
  return `${l10n.t('{0} of memory', memory)}; ${named.join(', ')}`;
}

function placeText(placement: SetUpChoice['fit']['placement']): string {
  switch (placement) {
    case 'gpu':
      return l10n.t('on the GPU');
    case 'split':
      return l10n.t('partly on the GPU');
    case 'processor':
      return l10n.t('on the processor');
    default:
      return placement satisfies never;
  }
}

/** Shown when models cannot be run at all. */
export function noProgramText(): string {
  return l10n.t(
    'llama-server, the program that runs models, was not found on this machine, and no verified release of it is known for this system. Install llama.cpp (for example: brew install llama.cpp, winget install llama.cpp, or the package of your system), or name the program.',
  );
}

/** What happens now, in one line. */
export function stepText(step: SetUpStep): string {
  switch (step.kind) {
    case 'unpacking':
      return l10n.t('unpacking llama-server');
    case 'waiting':
      return `${step.why} ${l10n.t('Trying again in {0} s.', Math.ceil(step.waitMs / 1_000))}`;
    case 'quiet':
      return l10n.t('{0} has sent nothing for {1} seconds.', step.host, step.quietMs / 1_000);
    case 'program':
      return `llama-server: ${progressText(step)}`;
    case 'model':
      return l10n.t('model: {0}', progressText(step));
    default:
      return step satisfies never;
  }
}
