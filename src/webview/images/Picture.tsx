import * as l10n from '../../util/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownImage } from '../../agent/view/sessionView';
import { Icon } from '../controls/Icon';
import { useStore } from '../state/usePanel';

interface PictureProperties {
  readonly image: ShownImage;
  /** The longest side on screen, in pixels. */
  readonly side: number;
  readonly label: string;
}

/** An image of the conversation. It is drawn on a canvas, so the page needs no right to load images. */
export function Picture({ image, side, label }: PictureProperties) {
  const store = useStore();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'waiting' | 'shown' | 'missing'>('waiting');
  const { hash, width, height } = image;
  const scale = Math.min(1, side / Math.max(width, height));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  useEffect(() => {
    let isOver = false;
    const show = async (): Promise<void> => {
      const blob = await store.pictures.find(hash);
      const picture = blob && (await createImageBitmap(blob).catch(() => undefined));
      if (isOver || !picture) return void (isOver || setState('missing'));
      canvas.current?.getContext('2d')?.drawImage(picture, 0, 0, canvas.current.width, canvas.current.height);
      picture.close();
      setState('shown');
    };
    void show();
    return () => {
      isOver = true;
    };
  }, [hash]);
  if (state === 'missing') {
    return (
      <span
        class="picture is-missing"
        role="img"
        aria-label={l10n.t('{0}, its file is missing', label)}
        title={l10n.t('The file is missing')}
      >
        <Icon name="file-media" />
      </span>
    );
  }
  // Twice the pixels, for sharp pictures on dense screens.
  return (
    <canvas
      ref={canvas}
      class="picture"
      role="img"
      aria-label={label}
      title={label}
      width={size.width * (scale < 0.5 ? 2 : 1)}
      height={size.height * (scale < 0.5 ? 2 : 1)}
      data-state={state}
    />
  );
}
