import { Icon } from '../controls/Icon';
import { readingsTitle } from '../format/readingsTitle';
import type { ReadingsRow } from './rows/foldRows';

interface ReadingsProperties {
  readonly row: ReadingsRow;
  readonly onToggle: () => void;
}

/** One line for cards that only read. While it is open, they follow it. */
export function ReadingsView({ row, onToggle }: ReadingsProperties) {
  return (
    <button type="button" class="disclosure" aria-expanded={row.isOpen} onClick={onToggle}>
      <Icon name={row.isOpen ? 'chevron-down' : 'chevron-right'} />
      <span>{readingsTitle(row.cards)}</span>
    </button>
  );
}
