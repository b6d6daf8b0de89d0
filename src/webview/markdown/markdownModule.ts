import { useEffect, useState } from 'preact/hooks';
import type * as renderer from './renderMarkdown';

/** The lexer, renderer and sanitiser. They are a separate chunk, loaded after the first paint. */
export type MarkdownModule = typeof renderer;

const sample = 'A **text** with `code`.\n\n- an item\n\n```ts\nlet code;\n```\n';

let loaded: MarkdownModule | undefined;
let loading: Promise<MarkdownModule> | undefined;

export function loadMarkdown(): Promise<MarkdownModule> {
  loading ??= loadAndTry();
  return loading;
}

/** The first text takes many times as long as the next, so it is not one that a person waits for. */
async function loadAndTry(): Promise<MarkdownModule> {
  const module = await import('./renderMarkdown');
  // A task of its own: running the module has taken long enough.
  await new Promise((resolve) => setTimeout(resolve));
  module.prepareBlocks(module.createLexer().lex(sample));
  return (loaded = module);
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
