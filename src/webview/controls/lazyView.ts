import { h, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Loads code that the first paint does not need. */
type Load<Value> = () => Promise<Value>;

/** A component whose code is loaded in idle time after the first paint, or when it is first shown. */
export interface LazyView<Properties extends object> extends FunctionComponent<Properties> {
  readonly preload: Load<void>;
}

/** Draws nothing until the code is there. Code that cannot be loaded is an error of the part that shows it. */
export function lazyView<Properties extends object>(load: Load<FunctionComponent<Properties>>): LazyView<Properties> {
  let loaded: FunctionComponent<Properties> | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> =>
    (loading ??= load().then(
      (component) => void (loaded = component),
      (error: unknown) => {
        // The next attempt loads again.
        loading = undefined;
        throw error;
      },
    ));
  function View(properties: Properties) {
    const [{ failure }, draw] = useState<{ readonly failure?: unknown }>({});
    const isLoaded = loaded !== undefined;
    useEffect(() => {
      if (isLoaded) return undefined;
      let isShown = true;
      preload().then(
        () => isShown && draw({}),
        (error: unknown) => isShown && draw({ failure: error }),
      );
      return () => void (isShown = false);
    }, [isLoaded]);
    if (failure !== undefined) throw new Error('A part of the panel could not be loaded.', { cause: failure });
    return loaded === undefined ? null : h(loaded, properties);
  }
  return Object.assign(View, { preload });
}
