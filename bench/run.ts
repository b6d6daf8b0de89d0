import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { copyGrammars } from '../scripts/bundle/copyGrammars.cjs';
import { projectRoot } from '../scripts/projectRoot';

/** A benchmark prints its measurements and returns whether its limits hold. */
interface Benchmark {
  readonly run: (print: (line: string) => void, flags: readonly string[]) => Promise<boolean>;
}

const folder = path.join(projectRoot, 'bench');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.parse(file).name)
  .filter((name) => name !== 'run')
  .toSorted();

const OPTIONS = [
  ...['--peers', '--seed=', '--seeds=', '--cases=', '--sources=', '--show=', '--repositories=', '--half='],
  ...['--base-url=', '--model=', '--compare=', '--agents=', '--tasks='],
];

/**
 * `npm run bench -- <name>…` runs these benchmarks; without a name, all. With `--peers`, `stream` and
 * `render` also compare with other libraries. `exam` takes `--base-url=`, `--model=`,
 * `--seed=`, `--compare=`, `--agents=` and `--tasks=`. The other flags are for `sloppy`.
 */
async function main(args: readonly string[]): Promise<void> {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const wrongFlag = flags.find((flag) => !OPTIONS.includes(flag.replace(/=.*/, '=')));
  if (wrongFlag !== undefined) {
    print(`There is no option ${wrongFlag}. There are: ${OPTIONS.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    print(`There is no benchmark "${unknown}". There are: ${names.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  for (const name of wanted.length > 0 ? wanted : names) {
    print(`\n== ${name}`);
    const { run } = await loadBuilt(name);
    if (await run(print, flags)) continue;
    print('A limit does not hold.');
    process.exitCode = 1;
  }
}

/**
 * A benchmark with the code that it measures, bundled as the product is. What runs the sources themselves names each
 * function anew when it is made, which takes a tenth of the time of a stream.
 */
async function loadBuilt(name: string): Promise<Benchmark> {
  const outfile = path.join(projectRoot, 'dist', 'bench', `${name}.js`);
  await build({
    entryPoints: [path.join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    logLevel: 'silent',
  });
  // The product has the shell grammars beside its bundle.
  copyGrammars(path.dirname(outfile), { isSmall: false });
  return require(outfile) as Benchmark;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main(process.argv.slice(2));
