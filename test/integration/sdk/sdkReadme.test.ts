import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { projectRoot } from '../../../scripts/projectRoot';
import { ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const run = promisify(execFile);
const readme = readFileSync(path.join(projectRoot, 'src', 'sdk', 'README.md'), 'utf8');
const sdk = path.join(projectRoot, 'src', 'sdk', 'index.ts');
const documentedUrl = 'http://localhost:8080';

/** The samples in order. The first two are complete programs or the base of the others. */
function samplesOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
}

/** One program of all samples: each in its own block, after the imports and the shared code. */
function programOf(samples: readonly string[], baseUrl: string): string {
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

const addLine = /^const add = .*\n/m;

function addOf(samples: readonly string[]): string {
  return addLine.exec(samples[0] ?? '')?.[0] ?? '';
}

/** A block has no imports, and `add` is shared. */
function hoisted(body: string): string {
  return body.replace(/^import .*\n/gm, '').replace(addLine, '');
}

describe("the samples of the SDK's README", () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  const tsconfig = {
    extends: path.join(projectRoot, 'tsconfig.json'),
    compilerOptions: {
      types: ['node'],
      noUnusedLocals: false,
      paths: { 'open-agent-vscode/sdk': [sdk] },
    },
    include: ['samples.mts'],
    exclude: [],
  };

  before(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({
      'tsconfig.json': JSON.stringify(tsconfig),
      'samples.mts': programOf(samplesOf(readme), server.baseUrl),
    });
    await symlink(path.join(projectRoot, 'node_modules'), path.join(folder.path, 'node_modules'));
  });
  after(async () => {
    await server.dispose();
    await folder.dispose();
  });

  it('compile', async () => {
    const compiler = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [compiler, '--noEmit', '-p', folder.path]).catch((error: { stdout?: string }) =>
      assert.fail(error.stdout),
    );
  });

  it('run, and do what the README says', async () => {
    const call = { toolCalls: [{ name: 'add', arguments: { a: 25, b: 17 } }] };
    const usage = { promptTokens: 9, completionTokens: 4 };
    server.script(
      ...[call, { text: '42, by the client.' }],
      ...[call, { text: '42, by the caller.' }],
      { text: 'Once upon a time.', usage },
      ...[{ text: 'A long story. '.repeat(9) }, { text: 'The end.' }],
      ...[call, { text: '42.' }],
      { text: '{"name":"Ada Lovelace","birthYear":1815}' },
      { text: 'Three lines.' },
      { kind: 'status', status: 429, body: 'slow down' },
      { text: 'Hello.' },
      { text: 'At the beginning.' },
    );
    const program = path.join(folder.path, 'samples.mjs');
    await build({
      entryPoints: [path.join(folder.path, 'samples.mts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      alias: { 'open-agent-vscode/sdk': sdk },
      // Some packages require Node's own modules as CommonJS does.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'silent',
    });
    const { stdout } = await run(process.execPath, [program], { cwd: folder.path });
    assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
    const outputs = stdout
      .split(/^== \d+\n/m)
      .slice(1)
      .map((text) => text.trim());
    assert.deepEqual(outputs.slice(0, 3), [
      '42, by the client.',
      '42, by the caller.',
      'Once upon a time.completed 4 17',
    ]);
    assert.match(outputs[3] ?? '', /^run_start\n[\s\S]*run_end$/);
    assert.deepEqual(outputs.slice(4), [
      "[ '10 places near Lisbon, any kind' ]",
      'notes.txt deleted: true 0',
      'add succeeded\ncompleted',
      '1815',
      'http://localhost:11434/v1\nThree lines.',
      'rate_limited 429',
      'true 2',
      'At the beginning.5 false []',
    ]);
  });
});
