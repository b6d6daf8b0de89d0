const documentedUrl = 'http://localhost:8080';
const addLine = /^const add = .*\n/m;

/**
 * One program of all samples of the SDK's README, which asks the server at `baseUrl`. Each sample has a block of its own,
 * after the imports of all and the code that they share. Before each it prints a line, `== 3` for the fourth.
 */
export function programOfSamples(markdown: string, baseUrl: string): string {
  const samples = samplesOf(markdown);
  const imports = new Map<string, Set<string>>();
  const bodies = samples.map((sample) =>
    sample.replace(/^import (type )?\{ (.+) \} from '(.+)';\n/gm, (_line, type = '', names: string, from: string) => {
      const known = imports.get(from) ?? new Set();
      imports.set(from, known);
      for (const name of names.split(', ')) known.add(`${type}${name}`);
      return '';
    }),
  );
  const heads = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}';\n`);
  const blocks = bodies.map((body, index) => {
    const isShared = index === 1;
    return isShared ? body : `{\nconsole.log('== ${index}');\n${hoisted(body)}console.log('');\n}\n`;
  });
  return `${heads.join('')}import * as z from 'zod';\n${addOf(samples)}\n${blocks.join('')}`.replaceAll(
    documentedUrl,
    baseUrl,
  );
}

/** The output of each sample but the shared one, in order. */
export function outputsOf(stdout: string): readonly string[] {
  return stdout
    .split(/^== \d+\n/m)
    .slice(1)
    .map((text) => text.trim());
}

/** The samples in order. The first two are complete programs or the base of the others. */
function samplesOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
}

function addOf(samples: readonly string[]): string {
  return addLine.exec(samples[0] ?? '')?.[0] ?? '';
}

/** A block has no imports, and `add` is shared. */
function hoisted(body: string): string {
  return body.replace(/^import .*\n/gm, '').replace(addLine, '');
}
