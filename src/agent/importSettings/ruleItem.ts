import path from 'node:path';
import { readFrontMatter } from '../customization/frontMatter';
import { refused, type ImportItem, type ImportPlace } from './importItem';

/** Longer rules would fill the window of a small model. */
const MAX_RULE_CHARACTERS = 20_000;

/** A text of rules. In a folder of the workspace it is offered for AGENTS.md, otherwise for the person's system prompt. */
export function ruleItem(name: string, text: unknown, place: ImportPlace, files?: string): ImportItem | undefined {
  const rules = typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : '';
  if (rules === '') return undefined;
  if (rules.length > MAX_RULE_CHARACTERS) return refused(place, 'Rules', name, 'the text is too long for a prompt.');
  const scoped = files === undefined ? rules : `For files that match ${files}:\n\n${rules}`;
  return {
    ...{ place, what: 'Rules', name },
    becomes:
      place.folder === undefined
        ? { kind: 'ownRules', text: scoped }
        : { kind: 'projectRules', folder: place.folder, title: name, text: scoped },
    notes: files === undefined ? [] : [`Sent always; there only for ${files}.`],
  };
}

/** A Markdown file of rules, with the front matter of Continue or Cline. */
export function readRuleFile(text: string, place: ImportPlace): readonly ImportItem[] {
  const { fields, body } = readFrontMatter(text);
  const name = fields.get('name') ?? path.basename(place.file).replace(/\.(?:md|txt)$/i, '');
  return [ruleItem(name, body, place, fields.get('globs') ?? fields.get('paths'))].filter((item) => item !== undefined);
}
