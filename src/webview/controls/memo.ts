import { h, type Component, type FunctionComponent } from 'preact';

/** A component that renders again only when one of the properties `names` changes. Default: any property. */
export function memo<Properties extends object>(
  component: FunctionComponent<Properties>,
  names?: readonly (keyof Properties)[],
): FunctionComponent<Properties> {
  function Memoised(this: Component<Properties>, properties: Properties) {
    this.shouldComponentUpdate = (next: Readonly<Properties>) => isDifferent(this.props, next, names);
    return h(component, properties);
  }
  return Memoised as FunctionComponent<Properties>;
}

function isDifferent<Properties extends object>(
  before: Readonly<Properties>,
  after: Readonly<Properties>,
  names = Object.keys({ ...before, ...after }) as (keyof Properties)[] as readonly (keyof Properties)[],
): boolean {
  return names.some((name) => !Object.is(before[name], after[name]));
}
