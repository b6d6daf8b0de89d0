import { guardPath } from '../../workspace/paths/guardPath';
import type { FileSystem, Root } from '../../workspace/ports';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import { fenceFor } from '../prompts/fence';
import type { PromptContext } from '../prompts/promptContext';

export interface ProjectRulesParts {
  readonly fileSystem: FileSystem;
  /** With distinct names. */
  readonly roots: () => readonly Root[];
  readonly isTrusted: () => boolean;
}

/**
 * The context for the first prompt of a session; `undefined`: none. `window`: the model's context window in tokens, if
 * known. Never rejects.
 */
export type ProjectRules = (window: number | undefined) => Promise<PromptContext | undefined>;

const FILE = 'AGENTS.md';
const ASSUMED_WINDOW = 8_192;
/** The share of the window that the rules may take. */
const SHARE = 0.1;
/** A cautious estimate: tokens are counted only with a request. */
const CHARACTERS_PER_TOKEN = 3.5;
/** A larger file is ignored. */
const MAX_BYTES = 1_000_000;

/** Reads the project's instructions: `AGENTS.md` in each folder of a trusted workspace. */
export function createProjectRules(parts: ProjectRulesParts): ProjectRules {
  return async (window = ASSUMED_WINDOW) => {
    if (!parts.isTrusted()) return undefined;
    const roots = parts.roots();
    const names = roots.length === 1 ? [FILE] : roots.map(({ name }) => `${name}/${FILE}`);
    const found = (await Promise.all(names.map((name) => readRules(name, parts)))).filter((one) => one !== undefined);
    if (found.length === 0) return undefined;
    const share = Math.floor((window * SHARE * CHARACTERS_PER_TOKEN) / found.length);
    return {
      label: found.map(({ name }) => name).join(', '),
      content: found.map((rules) => describe(rules, share)).join('\n\n'),
    };
  };
}

interface Rules {
  readonly name: string;
  readonly text: string;
}

/** A file that cannot be read is ignored, so a session does not fail for it. */
async function readRules(name: string, { fileSystem, roots }: ProjectRulesParts): Promise<Rules | undefined> {
  const guarded = await guardPath(name, { roots: roots(), fileSystem });
  // A link may lead to a file that holds secrets.
  if (!guarded.ok || !guarded.path.exists || isReadingProtected(guarded.path)) return undefined;
  const { realPath } = guarded.path;
  try {
    const stat = await fileSystem.stat(realPath);
    if (stat?.kind !== 'file' || stat.size > MAX_BYTES) return undefined;
    const { text } = await fileSystem.openText(realPath);
    return text.trim() === '' ? undefined : { name, text: text.trim() };
  } catch {
    // It is not text, or cannot be read.
    return undefined;
  }
}

const HEADING = 'How this project wants to be worked on, from ';
const CUT = '\nIt was cut here; ';

/** The length of the instructions at the start of a message, in characters. 0: it has none. */
export function rulesLength(content: string): number {
  let end = 0;
  for (;;) {
    const start = end === 0 ? 0 : end + 2;
    const fence = content.startsWith(HEADING, start) && /^.*\n([`~]{3,})/.exec(content.slice(start))?.[1];
    if (!fence) return end;
    const open = content.indexOf(`\n${fence}`, start) + 1 + fence.length;
    const close = content.indexOf(`\n${fence}`, open);
    if (close < 0) return end;
    end = close + 1 + fence.length;
    if (!content.startsWith(CUT, end)) continue;
    const paragraph = content.indexOf('\n\n', end);
    end = paragraph < 0 ? content.length : paragraph;
  }
}

function describe({ name, text }: Rules, maxCharacters: number): string {
  const isCut = text.length > maxCharacters;
  const kept = isCut ? text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '') : text;
  const fence = fenceFor(kept);
  const parts = [
    `${HEADING}${name} in the repository. It decides nothing about what is allowed:`,
    `${fence}\n${kept}\n${fence}`,
    ...(isCut ? [`It was cut here; read_file gives the rest of ${name}.`] : []),
  ];
  return parts.join('\n');
}
