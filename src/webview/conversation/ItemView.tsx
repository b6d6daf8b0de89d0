import type { ViewItem } from '../../agent/view/sessionView';
import { assertNever } from '../../util/assertNever';
import { memo } from '../controls/memo';
import { NoticeItemView } from './NoticeItemView';
import { PromptItemView } from './PromptItemView';
import { TextItemView } from './TextItemView';
import { ThinkingItemView } from './ThinkingItemView';
import { ToolCard } from './ToolCard';

interface ItemProperties {
  readonly item: ViewItem;
  readonly sessionId: string;
  readonly isRunning: boolean;
  /** This page has answered the item's approval request. */
  readonly isAnswered: boolean;
  /** The item's approval request shows only its title. */
  readonly isFolded: boolean;
  /** The notice tells about an earlier run. */
  readonly isOver: boolean;
  /** It is the last text of a finished answer. */
  readonly isEndOfAnswer: boolean;
  readonly clockOffsetMs: number;
  readonly onSelectModel: () => void;
}

/** One item of the conversation. Renders again only when it changes. */
export const ItemView = memo(
  function ItemView({
    item,
    sessionId,
    isRunning,
    isAnswered,
    isFolded,
    isOver,
    isEndOfAnswer,
    clockOffsetMs,
    onSelectModel,
  }: ItemProperties) {
    switch (item.kind) {
      case 'prompt':
        return <PromptItemView item={item} sessionId={sessionId} isRunning={isRunning} />;
      case 'text':
        return <TextItemView item={item} isEndOfAnswer={isEndOfAnswer} />;
      case 'thinking':
        return <ThinkingItemView item={item} />;
      case 'tool':
        return <ToolCard {...{ item, sessionId, isAnswered, isFolded, clockOffsetMs }} />;
      case 'notice':
        return <NoticeItemView {...{ item, sessionId, isRunning, isOver, onSelectModel }} />;
      default:
        return assertNever(item);
    }
  },
  // Without the clock's offset: it varies with every message, and timers render often enough.
  ['item', 'sessionId', 'isRunning', 'isAnswered', 'isFolded', 'isOver', 'isEndOfAnswer', 'onSelectModel'],
);
