import * as l10n from '../../util/l10n';
import { useRef } from 'preact/hooks';
import { IconButton } from '../controls/IconButton';
import { useStore } from '../state/usePanel';

/** Picks images from the disk. */
export function AttachImage() {
  const store = useStore();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept="image/png,image/jpeg,image/webp,image/gif"
        multiple
        onChange={({ currentTarget }) => {
          void store.attachImages([...(currentTarget.files ?? [])]);
          // The same file can be picked again.
          currentTarget.value = '';
          store.focusComposer();
        }}
      />
      <IconButton icon="file-media" label={l10n.t('Attach Images…')} onClick={() => input.current?.click()} />
    </>
  );
}
