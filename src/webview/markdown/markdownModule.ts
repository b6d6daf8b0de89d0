import { useEffect, useState } from 'preact/hooks';
import type * as renderer from './renderMarkdown';

/** The lexer, renderer and sanitiser. They are a separate chunk, loaded after the first paint. */
export type MarkdownModule = typeof renderer;

let loaded: MarkdownModule | undefined;
let loading: Promise<MarkdownModule> | undefined;

export function loadMarkdown(): Promise<MarkdownModule> {
  loading ??= import('./renderMarkdown').then((module) => (loaded = module));
  return loading;
}

/** Returns the module once it is loaded. The component renders again then. */
export function useMarkdown(): MarkdownModule | undefined {
  const [module, setModule] = useState(loaded);
  useEffect(() => {
    if (module !== undefined) return undefined;
    let isCurrent = true;
    void loadMarkdown().then((value) => {
      if (isCurrent) setModule(() => value);
    });
    return () => void (isCurrent = false);
  }, [module]);
  return module;
}
