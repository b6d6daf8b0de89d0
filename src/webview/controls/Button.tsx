import type { Ref } from 'preact';

interface ButtonProperties {
  readonly label: string;
  readonly onClick: () => void;
  readonly kind?: 'primary' | 'secondary' | 'link' | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined;
}

const classes = { primary: 'button', secondary: 'button secondary', link: 'link-button' } as const;

/** A button with a text. */
export function Button({ label, onClick, kind = 'primary', isDisabled = false, buttonRef = null }: ButtonProperties) {
  return (
    <button type="button" class={classes[kind]} ref={buttonRef} disabled={isDisabled} onClick={onClick}>
      {label}
    </button>
  );
}
