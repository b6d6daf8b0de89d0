import { listCustomFolder, readCustomFile, type CustomFile, type CustomFileParts } from './customFiles';
import { readFrontMatter } from './frontMatter';

/** A prompt that a person keeps in a file, called with `/name`. */
export interface PromptFile extends Pick<CustomFile, 'displayPath' | 'isOwn'> {
  readonly name: string;
  /** May be empty. */
  readonly description: string;
  readonly body: string;
  readonly inputs: readonly PromptInput[];
}

/** A value that a prompt file asks for: `${input:name}` or `${input:name:hint}`. */
export interface PromptInput {
  readonly name: string;
  /** May be empty. */
  readonly hint: string;
}

/** The editor's part of a prompt file: `${file}`, `${selection}`. */
export interface EditorValues {
  readonly file?: string | undefined;
  readonly selection?: string | undefined;
}

const FILE_NAME = /^([A-Za-z0-9][\w.-]{0,59})\.prompt\.md$/;
const PLACES = { inWorkspace: ['.github/prompts'], own: 'prompts' };
const MAX_INPUTS = 20;
const MAX_DESCRIPTION = 300;
const VARIABLE = /\$\{(?:input:([A-Za-z][\w-]{0,59})(?::([^}\n]{0,300}))?|(file|selection|selectedText))\}/g;

/**
 * The prompt files of the workspace, then the user's own, each name once. Only name, description and body count: what else
 * stands in the front matter (model, tools, mode) changes nothing. Never rejects.
 */
export async function listPromptFiles(parts: CustomFileParts): Promise<readonly PromptFile[]> {
  const listed = await listCustomFolder(PLACES, parts);
  const files = await Promise.all(
    listed.map(async (place) => {
      const name = FILE_NAME.exec(place.displayPath.split('/').at(-1) ?? '')?.[1];
      const file = name === undefined ? undefined : await readCustomFile(place, parts);
      return name === undefined || !file ? undefined : promptFile(name, file);
    }),
  );
  const named = new Map<string, PromptFile>();
  for (const file of files) if (file && !named.has(file.name)) named.set(file.name, file);
  return [...named.values()];
}

function promptFile(name: string, { displayPath, isOwn, text }: CustomFile): PromptFile | undefined {
  const { fields, body } = readFrontMatter(text);
  if (body.trim() === '') return undefined;
  const description = (fields.get('description') ?? '').replace(/\s+/g, ' ').slice(0, MAX_DESCRIPTION);
  return { name, description, displayPath, isOwn, body: body.trim(), inputs: findInputs(body) };
}

function findInputs(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, name, hint = ''] of body.matchAll(VARIABLE)) {
    if (name !== undefined && !inputs.has(name) && inputs.size < MAX_INPUTS) inputs.set(name, { name, hint });
  }
  return [...inputs.values()];
}

/** The body with the values in place of the variables. A value is never read for variables again. */
export function fillPrompt(
  body: string,
  values: ReadonlyMap<string, string>,
  { file, selection }: EditorValues,
): string {
  return body.replace(VARIABLE, (whole, input: string | undefined, _hint, variable: string | undefined) => {
    if (input !== undefined) return values.get(input) ?? whole;
    return variable === 'file' ? (file ?? '(no file is open)') : (selection ?? '(nothing is selected)');
  });
}

/** Whether a prompt file names what the editor shows. */
export function usesEditor(body: string): boolean {
  return /\$\{(?:file|selection|selectedText)\}/.test(body);
}
