import * as l10n from '../../util/l10n';
import * as z from 'zod';
import { describeIssues } from '../../util/zodIssues';
import { refused, type ImportItem, type ImportPlace } from './importItem';
import { fieldOf, listOf, withoutAbsent } from './modelItem';
import { readForeignJson, readForeignYaml } from './readForeign';

const text = z.string().max(20_000);
const ModeSchema = z.object({
  slug: z.string().regex(/^[\w-]{1,100}$/, 'must be letters, digits and hyphens'),
  name: z.string().max(200).optional(),
  roleDefinition: text.optional(),
  customInstructions: text.optional(),
  description: z.string().max(2_000).optional(),
  whenToUse: z.string().max(2_000).optional(),
  groups: z.array(z.unknown()).max(20).optional(),
});

/** Roo's custom modes: `.roomodes` and `custom_modes.yaml`, as YAML or as JSON. */
export function readModeFile(file: string, place: ImportPlace): readonly ImportItem[] {
  const value = file.trimStart().startsWith('{') ? readForeignJson(file) : readForeignYaml(file);
  return modeItems(fieldOf(value, 'customModes'), place);
}

/** A list of modes, as agents. */
export function modeItems(value: unknown, place: ImportPlace): readonly ImportItem[] {
  return listOf(value).map((mode) => modeItem(mode, place));
}

function modeItem(value: unknown, place: ImportPlace): ImportItem {
  const parsed = ModeSchema.safeParse(value);
  const given = fieldOf(value, 'name') ?? fieldOf(value, 'slug');
  const shown = typeof given === 'string' && given !== '' ? given.slice(0, 200) : l10n.t('Mode without a name');
  if (!parsed.success) return refused(place, 'mode', shown, `${describeIssues(parsed.error)}.`);
  const { slug, roleDefinition, customInstructions, description, whenToUse, groups } = parsed.data;
  const names = new Set((groups ?? []).map((group) => (Array.isArray(group) ? (group[0] as unknown) : group)));
  const [mayEdit, mayRun] = [names.has('edit'), names.has('command')];
  const prompt = [roleDefinition, customInstructions]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join('\n\n');
  const excludeTools = [...(mayEdit ? [] : ['apply_edit', 'write_file']), ...(mayRun ? [] : ['run_terminal_command'])];
  const limit = (groups ?? [])
    .map((group) => fieldOf(listOf(group)[1], 'fileRegex'))
    .find((one) => typeof one === 'string');
  return {
    ...{ place, what: 'mode', name: shown },
    becomes: {
      kind: 'agent',
      agent: {
        id: slug,
        ...withoutAbsent({
          description: (description ?? whenToUse)?.trim(),
          prompt: prompt === '' ? undefined : prompt,
          excludeTools: excludeTools.length > 0 ? excludeTools : undefined,
          allowedServers: names.has('mcp') ? undefined : [],
          permissionMode: mayEdit || mayRun ? undefined : ('plan' as const),
        }),
      },
    },
    notes: limit === undefined ? [] : [l10n.t('It may edit all files here; there only {0}.', limit)],
  };
}
