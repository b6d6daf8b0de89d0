/** The files of a paste or drop that are images. */
export function imageFilesOf(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}
