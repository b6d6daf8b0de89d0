import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from '../controls/memo';
import { VisibleText } from '../controls/VisibleText';
import { decorateCodeBlocks, growOpenCode } from './codeBlocks';
import { markHiddenCharacters } from './markHidden';
import { useMarkdown, type MarkdownModule } from './markdownModule';
import type { MarkdownBlock } from './markdownBlocks';

/** A Markdown text. While it grows, only its last block is rendered again. */
export function MarkdownView({ text }: { readonly text: string }) {
  const markdown = useMarkdown();
  const blocks = useMemo(() => markdown?.lexMarkdown(text) ?? [], [markdown, text]);
  if (markdown === undefined)
    return (
      <div class="markdown markdown-plain">
        <VisibleText text={text} kind="prose" />
      </div>
    );
  return (
    <div class="markdown">
      {blocks.map((block, index) => (
        <BlockView key={index} raw={block.raw} context={block.context} block={block} markdown={markdown} />
      ))}
    </div>
  );
}

interface BlockProperties {
  readonly raw: string;
  readonly context: string;
  readonly block: MarkdownBlock;
  readonly markdown: MarkdownModule;
}

const BlockView = memo(
  function BlockView({ raw, context, block, markdown }: BlockProperties) {
    const element = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      if (element.current === null) return;
      const fragment = markdown.renderBlock(block);
      const open = block.tokens?.[0]?.type === 'fence' ? fragment.querySelector('code[data-open]') : null;
      if (open !== null && growOpenCode(element.current, open.textContent)) return;
      element.current.replaceChildren(fragment);
      decorateCodeBlocks(element.current);
      markHiddenCharacters(element.current);
    }, [raw, context, markdown]);
    return <div class="markdown-block" ref={element} />;
  },
  // The lexer makes a new token object each time. Only a new text is a change.
  ['raw', 'context', 'markdown'],
);
