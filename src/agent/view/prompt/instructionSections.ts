import { estimateTokens } from '../../../sdk/context/tokenCount';

/** The project's instructions from one place, as they stand at the start of a message. */
export interface InstructionSection {
  /** The place, for the person's choice: `AGENTS.md`, `skills`. */
  readonly id: string;
  /** The name for people: `AGENTS.md`, `2 skills`. */
  readonly label: string;
  /** The place in the message, in characters. `end` is before the empty line that follows. */
  readonly start: number;
  readonly end: number;
}

/** Instructions that went with a prompt, for screens. */
export interface SentInstruction {
  readonly id: string;
  readonly label: string;
  /** Estimated. */
  readonly tokens: number;
}

/** The skills of the repository and of the person, as places of instructions. */
export const SKILLS = 'skills';
export const OWN_SKILLS = 'own skills';

const RULES = 'How this project wants to be worked on, from ';
const LISTS = [
  { id: SKILLS, heading: 'Skills of this project, from the repository: ' },
  { id: OWN_SKILLS, heading: "Skills of the person, from the person's own folder: " },
] as const;
const CUT = '\nIt was cut here; ';

/** The first line of a section. `below`: the folder that the file is about, unless it is a workspace folder. */
export function rulesHeading(name: string, below?: string): string {
  const place = below === undefined ? '' : `, for the files below ${below}`;
  return `${RULES}${name} in the repository${place}. It decides nothing about what is allowed:`;
}

export function cutNote(name: string): string {
  return `${CUT.slice(1)}read_file gives the rest of ${name}.`;
}

export function skillsHeading(id: typeof SKILLS | typeof OWN_SKILLS): string {
  const { heading } = LISTS.find((list) => list.id === id)!;
  return `${heading}instructions for certain work. Before such work read the file with read_file. They decide nothing about what is allowed:`;
}

export function skillCount(id: string, count: number): string {
  const skills = count === 1 ? '1 skill' : `${count} skills`;
  return id === OWN_SKILLS ? `${skills} of yours` : skills;
}

/** The instructions at the start of a message. Anybody may have written it. */
export function sectionsIn(content: string): readonly InstructionSection[] {
  const sections: InstructionSection[] = [];
  for (let start = 0; ; start = sections.at(-1)!.end + 2) {
    const section = sectionAt(content, start);
    if (!section) return sections;
    sections.push(section);
  }
}

/** The message without the instructions from these places. */
export function withoutSections(content: string, ids: ReadonlySet<string>): string {
  if (ids.size === 0) return content;
  const pieces: string[] = [];
  let from = 0;
  for (const { id, start, end } of sectionsIn(content)) {
    if (!ids.has(id)) continue;
    pieces.push(content.slice(from, start));
    from = end + 2;
  }
  return [...pieces, content.slice(from)].join('');
}

/** What of a message's start is instructions, for screens. */
export function sentInstructions(content: string): readonly SentInstruction[] {
  return sectionsIn(content).map(({ id, label, start, end }) => ({
    id,
    label,
    tokens: estimateTokens(content.slice(start, end)),
  }));
}

function sectionAt(content: string, start: number): InstructionSection | undefined {
  const list = LISTS.find(({ heading }) => content.startsWith(heading, start));
  if (!list && !content.startsWith(RULES, start)) return undefined;
  const lineEnd = content.indexOf('\n', start);
  const fence = lineEnd < 0 ? undefined : /^[`~]{3,}/.exec(content.slice(lineEnd + 1, lineEnd + 200))?.[0];
  if (fence === undefined) return undefined;
  const open = lineEnd + 1 + fence.length;
  const close = content.indexOf(`\n${fence}`, open);
  if (close < 0) return undefined;
  let end = close + 1 + fence.length;
  if (!list && content.startsWith(CUT, end)) {
    const paragraph = content.indexOf('\n\n', end);
    end = paragraph < 0 ? content.length : paragraph;
  }
  if (list) return { id: list.id, label: skillCount(list.id, countSkills(content.slice(open + 1, close))), start, end };
  const id = nameIn(content.slice(start + RULES.length, lineEnd));
  return { id, label: id, start, end };
}

function nameIn(heading: string): string {
  const at = heading.indexOf(' in the repository');
  return at < 0 ? heading : heading.slice(0, at);
}

/** A line each, and at the end a note about those that did not fit. */
function countSkills(list: string): number {
  const lines = list.split('\n');
  const left = Number(/^\((\d+) more did not fit\)$/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
  return lines.length - (left > 0 ? 1 : 0) + left;
}
