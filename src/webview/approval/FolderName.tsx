import { VisibleText } from '../controls/VisibleText';

/** A folder of a command, by its display path. */
export function FolderName({ displayPath }: { readonly displayPath: string }) {
  const isTop = displayPath === '' || displayPath === '.';
  return isTop ? <>the workspace folder</> : <VisibleText text={displayPath} kind="path" />;
}
