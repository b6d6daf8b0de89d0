import type { IconName } from './icons';

/** A codicon. Screen readers skip it, so it needs a label beside it. */
export function Icon({ name, isSpinning = false }: { readonly name: IconName; readonly isSpinning?: boolean }) {
  return <span class={`codicon codicon-${name}${isSpinning ? ' spinning' : ''}`} aria-hidden="true" />;
}
