import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useStore } from '../state/usePanel';

/** The listeners of a form, for the phase before its buttons get the event. */
interface SteadyForm {
  readonly onPointerDownCapture: () => void;
  readonly onClickCapture: (event: MouseEvent) => void;
}

/**
 * Keeps clicks from a form that were aimed at something else: the form came under the pointer just before, or the click
 * is the second one of a double click whose first one was not here. Keys reach the form that they were meant for.
 */
export function useSteadyForm(form: RefObject<HTMLElement | null>): SteadyForm {
  const { steadyForms } = useStore();
  const wasSteady = useRef(true);
  const wasClicked = useRef(false);
  useLayoutEffect(() => (form.current === null ? undefined : steadyForms.add(form.current)), []);
  const isSteady = (): boolean => form.current !== null && steadyForms.isSteady(form.current);
  return {
    onPointerDownCapture: () => {
      wasSteady.current = isSteady();
    },
    onClickCapture: (event) => {
      const isByPointer = event.detail > 0;
      const isMeant = wasSteady.current && isSteady() && (event.detail === 1 || wasClicked.current);
      if (isMeant) wasClicked.current = true;
      if (!isByPointer || isMeant) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
