import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Source } from '../../test/support/edits/sloppyEdits';
import { seededRandom } from '../../test/support/seededRandom';

const KINDS =
  /\.(?:[cm]?[jt]s|d\.[cm]?ts|jsx|tsx|json|md|markdown|css|scss|less|html|svg|ya?ml|toml|py|pyi|c|h|cc|cpp|hpp|cs|go|rs|java|rb|php|lua|pl|sh|ps1|gypi?|cmake|txt|hbs)$/;
const MIN_SIZE = 300;
const MAX_SIZE = 150_000;
/** Files with longer lines on average are generated. */
const MAX_LINE = 120;
const FILES_PER_KIND = 12;

/** The text files in some folders, by extension. */
export function findSources(folders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true }).map(String).toSorted()) {
      const kind = KINDS.exec(name)?.[0];
      if (kind === undefined || name.endsWith('.min.js')) continue;
      const file = path.join(folder, name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile() || stat.size < MIN_SIZE || stat.size > MAX_SIZE) continue;
      const known = kinds.get(kind);
      if (known) known.push(file);
      else kinds.set(kind, [file]);
    }
  }
  return kinds;
}

/** Some files of every kind; different files for each seed. */
export function pickSources(kinds: ReadonlyMap<string, readonly string[]>, seed: number): readonly Source[] {
  const random = seededRandom(seed);
  return [...kinds.values()].flatMap((files) =>
    Array.from({ length: FILES_PER_KIND }, () => files[Math.floor(random() * files.length)] as string)
      .map((file) => ({ name: file, text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => isWrittenByPeople(text)),
  );
}

function isWrittenByPeople(text: string): boolean {
  const lines = text.split('\n');
  return (
    !text.includes('\u0000') && !text.includes('\uFFFD') && lines.length > 8 && text.length / lines.length < MAX_LINE
  );
}
