import { Component, type ComponentChildren } from 'preact';

interface BoundaryProperties {
  /** Shown instead of the children after they threw. `onRetry` draws them again. Must not throw. */
  readonly fallback: (onRetry: () => void) => ComponentChildren;
  /** When this changes, the children are drawn again. */
  readonly subject?: unknown;
  readonly children: ComponentChildren;
}

/** Keeps an error of the children, in rendering or in an effect, away from the rest of the panel. */
export class ErrorBoundary extends Component<BoundaryProperties, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  override componentDidCatch(): void {
    this.setState({ hasFailed: true });
  }

  override componentDidUpdate(before: Readonly<BoundaryProperties>): void {
    if (this.state.hasFailed && !Object.is(before.subject, this.props.subject)) this.#retry();
  }

  readonly #retry = (): void => this.setState({ hasFailed: false });

  override render(): ComponentChildren {
    return this.state.hasFailed ? this.props.fallback(this.#retry) : this.props.children;
  }
}
