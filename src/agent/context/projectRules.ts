import { estimateTokens } from '../../sdk/context/tokenCount';
import { guardPath } from '../../workspace/paths/guardPath';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import type { GuardedPath } from '../../workspace/plans';
import type { FileSystem, Root } from '../../workspace/ports';
import { listSkills, type Skill } from '../customization/skills';
import { fenceFor } from '../prompts/fence';
import type { PromptContext } from '../prompts/promptContext';
import type { InstructionChip } from '../view/prompt/contextChip';
import {
  cutNote,
  OWN_SKILLS,
  rulesHeading,
  skillCount,
  SKILLS,
  skillsHeading,
} from '../view/prompt/instructionSections';
import { FOREIGN, nestedPlaces } from './nestedRules';

export interface ProjectRulesParts {
  readonly fileSystem: FileSystem;
  /** With distinct names. */
  readonly roots: () => readonly Root[];
  readonly isTrusted: () => boolean;
  /** The places whose instructions the person has switched off. Default: none. */
  readonly leftOut?: (() => readonly string[]) | undefined;
  /** The user's own folder, as an absolute path. Absent: it is not looked at. */
  readonly ownFolder?: string | undefined;
}

/** The instructions of one place as a section of a message. `id`: see `InstructionSection`. */
export interface Instruction extends PromptContext {
  readonly id: string;
}

/** The project's instructions, without those that the person has switched off. `window`: the model's, in tokens. */
export interface ProjectRules {
  readonly leftOut: () => readonly string[];
  /** For the first prompt of a session: the files in the workspace folders, and the skills. Never rejects. */
  readonly read: (window: number | undefined) => Promise<readonly Instruction[]>;
  /** The `AGENTS.md` of the folders above these files, by the model's paths, without workspace folders. Never rejects. */
  readonly readNested: (
    touched: readonly string[],
    options: { readonly window: number | undefined; readonly known: ReadonlySet<string> },
  ) => Promise<readonly Instruction[]>;
  /** All instructions of `read` with their cost, also those that are switched off. Never rejects. */
  readonly describe: (window: number | undefined) => Promise<readonly InstructionChip[]>;
}

/** The files that agents read, the most common first. */
const FILES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md', '.cursorrules'];
const ASSUMED_WINDOW = 8_192;
/** The share of the window that the rules may take. */
const SHARE = 0.1;
/** A cautious estimate: tokens are counted only with a request. */
const CHARACTERS_PER_TOKEN = 3.5;
/** A larger file is ignored. */
const MAX_BYTES = 1_000_000;
/** The nested files that one message takes. */
const MAX_NESTED = 5;

/**
 * Reads the project's instructions: `AGENTS.md` and the like in each folder of a trusted workspace, and the names of its
 * skills and the person's. Paragraphs that an earlier file has are left out.
 */
export function createProjectRules(parts: ProjectRulesParts): ProjectRules {
  const leftOut = (): readonly string[] => parts.leftOut?.() ?? [];
  const readAll = (off: ReadonlySet<string>, window: number | undefined) => readSections(parts, off, window);
  return {
    leftOut,
    read: (window) => readAll(new Set(leftOut()), window),
    readNested: (touched, { window, known }) => readNested(parts, touched, { window, known, off: new Set(leftOut()) }),
    async describe(window) {
      const off = new Set(leftOut());
      const chip = (isOff: boolean, { id, label, content }: Instruction): InstructionChip => ({
        id,
        label,
        tokens: estimateTokens(content),
        ...(isOff && { isOff }),
      });
      const on = (await readAll(off, window)).map((one) => chip(false, one));
      if (off.size === 0) return on;
      const all = await readAll(new Set(), window);
      const others = all.filter(({ id }) => off.has(id)).map((one) => chip(true, one));
      const order = [...all.map(({ id }) => id), ...on.map(({ id }) => id)];
      return [...on, ...others].toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    },
  };
}

async function readSections(
  parts: ProjectRulesParts,
  off: ReadonlySet<string>,
  window: number = ASSUMED_WINDOW,
): Promise<readonly Instruction[]> {
  if (!parts.isTrusted()) return [];
  const found = withoutRepeats(await readFiles(rootFiles(parts.roots()), off, parts));
  const skills = await listSkills(parts);
  const room = window * SHARE * CHARACTERS_PER_TOKEN;
  const lists = ([SKILLS, OWN_SKILLS] as const).flatMap((id) => {
    const listed = skills.filter(({ isOwn }) => isOwn === (id === OWN_SKILLS));
    return listed.length === 0 || off.has(id) ? [] : [{ id, listed }];
  });
  const sections = lists.map(({ id, listed }) => ({
    id,
    label: skillCount(id, listed.length),
    content: describeSkills(id, listed, room / 3 / lists.length),
  }));
  const taken = sections.reduce((sum, { content }) => sum + content.length, 0);
  const share = Math.floor((room - taken) / Math.max(1, found.length));
  return [...found.map((rules) => describe(rules, share)), ...sections];
}

async function readNested(
  parts: ProjectRulesParts,
  touched: readonly string[],
  {
    window = ASSUMED_WINDOW,
    known,
    off,
  }: {
    readonly window: number | undefined;
    readonly known: ReadonlySet<string>;
    readonly off: ReadonlySet<string>;
  },
): Promise<readonly Instruction[]> {
  if (!parts.isTrusted() || touched.length === 0) return [];
  const { roots, fileSystem } = parts;
  const places = await nestedPlaces(touched, { roots: roots(), fileSystem });
  const wanted = places.filter(({ file }) => !known.has(file) && !off.has(file));
  if (wanted.length === 0) return [];
  const found: Rules[] = [];
  for (const { file, folder } of wanted) {
    if (found.length >= MAX_NESTED) break;
    const [rules] = await readFiles([file], off, parts, isOfProject);
    if (rules) found.push({ ...rules, below: folder });
  }
  // The model has the paragraphs of the first ones already.
  const first = await readFiles(rootFiles(roots()), off, parts);
  const nested = withoutRepeats([...first, ...found]).filter(({ below }) => below !== undefined);
  const share = Math.floor((window * SHARE * CHARACTERS_PER_TOKEN) / Math.max(1, nested.length));
  return nested.map((rules) => describe(rules, share));
}

function rootFiles(roots: readonly Root[]): readonly string[] {
  const folders = roots.length === 1 ? [''] : roots.map(({ name }) => `${name}/`);
  return folders.flatMap((folder) => FILES.map((file) => `${folder}${file}`));
}

interface Rules {
  readonly name: string;
  readonly text: string;
  /** The folder that they are about. Absent: a workspace folder. */
  readonly below?: string | undefined;
}

async function readFiles(
  names: readonly string[],
  off: ReadonlySet<string>,
  parts: ProjectRulesParts,
  isWanted: (target: GuardedPath) => boolean = () => true,
): Promise<readonly Rules[]> {
  const wanted = names.filter((name) => !off.has(name));
  return (await Promise.all(wanted.map((name) => readRules(name, parts, isWanted)))).filter((one) => one !== undefined);
}

/** Each paragraph once. A file that has only paragraphs of earlier ones, or only names one of them (`@AGENTS.md`), is left out. */
export function withoutRepeats(files: readonly Rules[]): readonly Rules[] {
  const seen = new Set<string>(FILES.map((file) => `@${file}`));
  return files.flatMap(({ text, ...rest }) => {
    const paragraphs = text.split(/\n(?:[ \t]*\r?\n)+/);
    const key = (paragraph: string): string => paragraph.replace(/\s+/g, ' ').trim();
    const own = paragraphs.filter((paragraph) => !seen.has(key(paragraph)));
    for (const paragraph of paragraphs) seen.add(key(paragraph));
    // A heading alone says nothing.
    const says = own.some((paragraph) => !/^#{1,6} [^\n]*$/.test(paragraph.trim()));
    if (!says) return [];
    return [{ ...rest, text: own.length === paragraphs.length ? text : own.join('\n\n') }];
  });
}

/** A link may lead into a dependency. */
function isOfProject({ pathInRoot }: GuardedPath): boolean {
  return pathInRoot !== null && !FOREIGN.test(pathInRoot);
}

/** A file that cannot be read is ignored, so a session does not fail for it. */
async function readRules(
  name: string,
  { fileSystem, roots }: ProjectRulesParts,
  isWanted: (target: GuardedPath) => boolean,
): Promise<Rules | undefined> {
  const guarded = await guardPath(name, { roots: roots(), fileSystem });
  // A link may lead to a file that holds secrets.
  if (!guarded.ok || !guarded.path.exists || isReadingProtected(guarded.path)) return undefined;
  if (!isWanted(guarded.path)) return undefined;
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

function describe({ name, text, below }: Rules, maxCharacters: number): Instruction {
  const isCut = text.length > maxCharacters;
  const kept = isCut ? text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '') : text;
  const fence = fenceFor(kept);
  const lines = [rulesHeading(name, below), `${fence}\n${kept}\n${fence}`, ...(isCut ? [cutNote(name)] : [])];
  return { id: name, label: name, content: lines.join('\n') };
}

/** Names and descriptions, a line each, as many as fit. */
function describeSkills(
  id: typeof SKILLS | typeof OWN_SKILLS,
  skills: readonly Skill[],
  maxCharacters: number,
): string {
  const lines: string[] = [];
  let length = 0;
  for (const { name, description, displayPath } of skills) {
    const line = `${displayPath}: ${name}: ${description}`;
    length += line.length + 1;
    if (length > maxCharacters) break;
    lines.push(line);
  }
  const left = skills.length - lines.length;
  const text = [...lines, ...(left > 0 ? [`(${left} more did not fit)`] : [])].join('\n');
  const fence = fenceFor(text);
  return `${skillsHeading(id)}\n${fence}\n${text}\n${fence}`;
}
