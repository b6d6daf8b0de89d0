import path from 'node:path';
import type { OwnSkills } from '../../workspace/ports';
import { isSkillName } from '../../workspace/tools/reading/ownSkills';
import { listCustomFolder, readCustomFile, type CustomFile, type CustomFileParts } from './customFiles';
import { readFrontMatter } from './frontMatter';

/** Instructions for a certain kind of work. The model reads their text when it needs it. */
export interface Skill {
  readonly name: string;
  /** The work that they are for, on one line. */
  readonly description: string;
  /** The path of the file, as the tools name it: `skill:NAME` for one of the user's own. */
  readonly displayPath: string;
  /** It is in the user's own folder, not in the repository. */
  readonly isOwn: boolean;
}

const PLACES = { inWorkspace: ['.github/skills', '.claude/skills', '.agents/skills'], own: 'skills' };
const FILE = 'SKILL.md';
const MAX_SKILLS = 40;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 300;

/**
 * The skills of a trusted workspace, then the user's own, each name once. Only name and description count: what else stands in the front matter
 * (tools, model) changes nothing. Never rejects.
 */
export async function listSkills(parts: CustomFileParts): Promise<readonly Skill[]> {
  const folders = await listCustomFolder(PLACES, parts);
  const found = new Map<string, Skill>();
  for (const { displayPath: folder, isOwn } of folders) {
    if (found.size >= MAX_SKILLS) break;
    const name = folder.split('/').at(-1) ?? '';
    if (isOwn && !isSkillName(name)) continue;
    const file = await readCustomFile({ displayPath: `${folder}/${FILE}`, isOwn }, parts);
    const skill = file && describe(name, isOwn ? `skill:${name}` : file.displayPath, file);
    if (skill && !found.has(skill.name)) found.set(skill.name, skill);
  }
  return [...found.values()];
}

/** The user's own skills, for the tool that reads them. In an untrusted workspace there are none. Never rejects. */
export function createOwnSkills(parts: CustomFileParts): OwnSkills {
  const read = async (name: string): Promise<string | undefined> => {
    if (!parts.isTrusted() || !path.isAbsolute(parts.ownFolder ?? '') || !isSkillName(name)) return undefined;
    const file = await readCustomFile({ displayPath: `~/.open-agent/skills/${name}/${FILE}`, isOwn: true }, parts);
    return file?.text;
  };
  return { read, has: async (name) => (await read(name)) !== undefined };
}

/** Without a description the model cannot know when to read it. */
function describe(folder: string, displayPath: string, { text, isOwn }: CustomFile): Skill | undefined {
  const { fields } = readFrontMatter(text);
  const name = oneLine(fields.get('name') ?? '', MAX_NAME) || oneLine(folder, MAX_NAME);
  const description = oneLine(fields.get('description') ?? '', MAX_DESCRIPTION);
  return description === '' ? undefined : { name, description, displayPath, isOwn };
}

function oneLine(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}
