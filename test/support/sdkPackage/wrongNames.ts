import type { PublicName } from './publicNames';
import type { SdkProject } from './sdkProjects';

/** An entry of the package, by what a program imports: `open-agent-sdk/mcp`. */
export interface EntryNames {
  readonly from: string;
  readonly names: readonly PublicName[];
}

/** Names of a program, without its `type`s. */
const imports = /import \{([^}]*)\} from '(open-agent-sdk[^']*)'/g;

/**
 * Compiles, for each public name, the programs that import it with a wrong declaration in its place: one that fits nothing. Returns
 * the names that no program misses: it does not import them, or has no use for what they are.
 */
export async function namesNotMissed(
  project: SdkProject,
  programs: readonly string[],
  entries: readonly EntryNames[],
): Promise<readonly string[]> {
  const folders = new Map<string, string>();
  const files: string[] = [];
  for (const { from, names } of entries) {
    for (const { name, kind } of names) {
      const folder = `wrong/${folders.size}`;
      folders.set(folder, `${from} ${name}`);
      await project.write(`${folder}/wrong.mts`, wrongModule(from, name, kind));
      for (const [index, program] of programs.entries()) {
        if (!importedNames(program, from).includes(name)) continue;
        const file = `${folder}/program-${index}.mts`;
        await project.write(file, program.replaceAll(`from '${from}'`, "from './wrong.mjs'"));
        files.push(file);
      }
    }
  }
  const errors = await project.errorsOf(files, { resolution: 'nodenext', types: ['node'] });
  return [...folders].flatMap(([folder, name]) =>
    new RegExp(`^${folder}/program-\\d+\\.mts\\(`, 'm').test(errors) ? [] : [name],
  );
}

function importedNames(program: string, from: string): readonly string[] {
  return [...program.matchAll(imports)].flatMap(([, list = '', source]) =>
    source === from ? list.split(',').map((name) => name.trim().replace(/^type /, '')) : [],
  );
}

/** A declaration in a module wins over those that it passes on. */
function wrongModule(from: string, name: string, kind: PublicName['kind']): string {
  const asValue = kind === 'type' ? '' : `export declare const ${name}: Wrong;\n`;
  // Takes the arguments that the right one takes.
  const asType = kind === 'value' ? '' : `export type ${name}<A = unknown, B = unknown, C = unknown> = Wrong;\n`;
  return `export * from '${from}';
declare const wrong: unique symbol;
interface Wrong { readonly [wrong]: never }
${asValue}${asType}`;
}
