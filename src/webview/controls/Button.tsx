import type { Ref } from 'preact';

interface ButtonProperties {
  readonly label: string;
  readonly onClick: () => void;
  readonly kind?: 'primary' | 'secondary' | 'link' | undefined;
  readonly isDisabled?: boolean | undefined;
  /** More than the label says. */
  readonly title?: string | undefined;
  readonly buttonRef?: Ref<HTMLButtonElement> | undefined;
}

const classes = { primary: 'button', secondary: 'button secondary', link: 'link-button' } as const;

/** A button with a text. */
export function Button({
  label,
  onClick,
  kind = 'primary',
  isDisabled = false,
  title,
  buttonRef = null,
}: ButtonProperties) {
  return (
    <button type="button" class={classes[kind]} ref={buttonRef} disabled={isDisabled} title={title} onClick={onClick}>
      {label}
    </button>
  );
}
