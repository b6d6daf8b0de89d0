import path from 'node:path';
import type { ModelEntry, VerifiedCatalogue } from '../catalogue/catalogue';
import type { FoundModelFile } from '../installed/foundModelFile';
import type { LocalState } from '../localState';
import type { SetUpChoice } from './setUpChoice';

/** What is known of a file beside its header. */
export type Known = Pick<SetUpChoice, 'id' | 'name' | 'sampling'> & {
  readonly sha256?: string | undefined;
  readonly entry?: ModelEntry | undefined;
};

/** Recognises a model file by what was kept when it was fetched, or by the name or checksum that the catalogue has. */
export function knownModel(
  found: FoundModelFile,
  { known }: Pick<VerifiedCatalogue, 'known'>,
  { fetched = {} }: Pick<LocalState, 'fetched'>,
): Known {
  const file = path.basename(found.file);
  const kept = found.from === 'Open Agent' ? fetched[file] : undefined;
  const entry = known.find((one) => one.id === kept?.id) ?? known.find((one) => isFileOf(one, found));
  const name = kept?.name ?? (found.from === 'Open Agent' ? entry?.name : undefined) ?? found.name;
  const sampling = entry?.sampling ?? kept?.sampling;
  return {
    ...{ id: `file:${found.name}`, name, entry },
    ...(sampling && { sampling }),
    ...(kept?.sha256 !== undefined && { sha256: kept.sha256 }),
  };
}

/** llama.cpp's own cache puts the repository before the name. Ollama's files are named by their checksum. */
function isFileOf({ file, sha256 }: ModelEntry, found: FoundModelFile): boolean {
  const [name, wanted] = [path.basename(found.file).toLowerCase(), file.toLowerCase()];
  return name === wanted || name.endsWith(`_${wanted}`) || (sha256 !== undefined && name === `sha256-${sha256}`);
}
