import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from '../controls/memo';
import { VisibleText } from '../controls/VisibleText';
import { decorateCodeBlocks, growOpenCode } from './code/codeBlocks';
import { useStore } from '../state/usePanel';
import { markHiddenCharacters } from './markHidden';
import { useMarkdown, type MarkdownModule } from './markdownModule';
import { estimatedHeight, groupsOf, type BlockGroup } from './blockGroups';
import type { MarkdownBlock } from './markdownBlock';

interface MarkdownProperties {
  readonly text: string;
  /** More text may come, which changes the last block. */
  readonly isGrowing: boolean;
}

/** A Markdown text. While it grows, only its last blocks are parsed and rendered again. */
export function MarkdownView({ text, isGrowing }: MarkdownProperties) {
  const markdown = useMarkdown();
  const lexer = useMemo(() => markdown?.createLexer(), [markdown]);
  const blocks = useBlocks(text, lexer, markdown);
  const groups = useGroups(blocks);
  if (markdown === undefined)
    return (
      <div class="markdown markdown-plain" dir="auto">
        <VisibleText text={text} kind="prose" />
      </div>
    );
  return (
    <div class="markdown">
      {groups.map((group, index) => (
        <GroupView key={index} group={group} markdown={markdown} isGrowing={isGrowing && index === groups.length - 1} />
      ))}
    </div>
  );
}

/** The blocks of the text. Those that are new are rendered together. */
function useBlocks(
  text: string,
  lexer: ReturnType<MarkdownModule['createLexer']> | undefined,
  markdown: MarkdownModule | undefined,
): readonly MarkdownBlock[] {
  const before = useRef<readonly MarkdownBlock[]>([]);
  return useMemo(() => {
    const blocks = lexer?.lex(text) ?? [];
    markdown?.prepareBlocks(blocks.filter((block, index) => !isEqual(block, before.current[index])));
    before.current = blocks;
    return blocks;
  }, [lexer, markdown, text]);
}

function isEqual(block: MarkdownBlock, other: MarkdownBlock | undefined): boolean {
  return block === other || (block.raw === other?.raw && block.context === other.context);
}

/** The blocks in groups. A group without a change is the same as before. */
function useGroups(blocks: readonly MarkdownBlock[]): readonly BlockGroup[] {
  const before = useRef<readonly BlockGroup[]>([]);
  return useMemo(() => (before.current = groupsOf(blocks, before.current)), [blocks]);
}

interface GroupProperties {
  readonly group: BlockGroup;
  readonly markdown: MarkdownModule;
  /** The last block may still change. */
  readonly isGrowing: boolean;
}

/** The browser skips the layout of a complete group that is out of sight. */
const GroupView = memo(function GroupView({ group, markdown, isGrowing }: GroupProperties) {
  const { blocks, isComplete, continuesPlain } = group;
  const names = ['markdown-group', isComplete && 'complete', continuesPlain && 'continued'].filter(Boolean);
  const style = isComplete ? { containIntrinsicSize: `auto ${estimatedHeight(group)}px` } : undefined;
  return (
    <div class={names.join(' ')} style={style}>
      {blocks.map((block, index) => (
        <BlockView
          key={index}
          raw={block.raw}
          context={block.context}
          block={block}
          markdown={markdown}
          isGrowing={isGrowing && index === blocks.length - 1}
        />
      ))}
    </div>
  );
});

interface BlockProperties {
  readonly raw: string;
  readonly context: string;
  readonly block: MarkdownBlock;
  readonly markdown: MarkdownModule;
  readonly isGrowing: boolean;
}

const BlockView = memo(
  function BlockView({ raw, context, block, markdown, isGrowing }: BlockProperties) {
    const element = useRef<HTMLDivElement>(null);
    const { places } = useStore();
    useLayoutEffect(() => {
      if (element.current === null) return;
      const fragment = markdown.renderBlock(block);
      const open = block.tokens?.[0]?.type === 'fence' ? fragment.querySelector('code[data-open]') : null;
      if (open !== null && growOpenCode(element.current, open.textContent)) return;
      markdown.replaceKeepingStart(element.current, fragment);
      decorateCodeBlocks(element.current);
      markdown.showMath(element.current);
      markHiddenCharacters(element.current);
    }, [raw, context, markdown]);
    // Not while it grows: half a path would be asked for.
    useLayoutEffect(
      () => (isGrowing || element.current === null ? undefined : places.watch(element.current)),
      [raw, context, markdown, isGrowing, places],
    );
    return <div class={block.tokens === undefined ? 'markdown-block plain' : 'markdown-block'} ref={element} />;
  },
  // The lexer makes a new token object each time. Only a new text is a change.
  ['raw', 'context', 'markdown', 'isGrowing'],
);
