import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../process';
import { projectRoot } from '../projectRoot';
import { declarationsOf } from './declarations';
import entries from './entries.json';
import { declarationOf, folderManifestOf, manifestOf, type ProjectManifest } from './manifest';
import { shareSources } from './sourceMaps';

/** The contents of the package, and the compiler's declarations before they are chosen. */
const packageFolder = path.join(projectRoot, 'dist', 'sdk');
const declarationFolder = path.join(projectRoot, 'dist', 'sdk-types');

/**
 * Builds `open-agent-sdk` and packs it into `folder`. Resolves to the path of the tarball. Rejects when the build fails.
 */
export async function packSdk(folder: string): Promise<string> {
  const project = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as ProjectManifest;
  await rm(packageFolder, { recursive: true, force: true });
  await runCommand(process.execPath, ['esbuild.js', '--production', '--only', 'sdk'], { cwd: projectRoot });
  await writeDeclarations();
  for (const file of await shareSources(packageFolder, ['esm', 'cjs'])) {
    await writePackageFile(file, await readSource(file));
  }
  await writePackageFile('package.json', `${JSON.stringify(manifestOf(project, entries), undefined, 2)}\n`);
  await writePackageFile('cjs/package.json', '{ "type": "commonjs" }\n');
  for (const entry of entries.slice(1)) {
    await writePackageFile(`${entry.name}/package.json`, `${JSON.stringify(folderManifestOf(entry))}\n`);
  }
  await writePackageFile(
    'README.md',
    (await readSource('src/sdk/README.md'))
      .replaceAll('](../../examples', '](examples')
      .replaceAll('](../../docs/', '](docs/'),
  );
  await writePackageFile('docs/other-sdks.md', await readSource('docs/other-sdks.md'));
  await writePackageFile('LICENSE', await readSource('LICENSE'));
  for (const file of await readdir(path.join(projectRoot, 'examples'))) {
    if (!file.endsWith('.ts')) continue;
    const text = await readSource(`examples/${file}`);
    await writePackageFile(`examples/${file}`, text.replaceAll("'../src/sdk'", "'open-agent-sdk'"));
  }
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = await runCommand(npm, ['pack', packageFolder, '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }];
  return path.join(folder, filename);
}

/** Both formats have the same declarations, each in a folder of its own, because the folder tells the format. */
async function writeDeclarations(): Promise<void> {
  await rm(declarationFolder, { recursive: true, force: true });
  const compiler = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  await runCommand(process.execPath, [compiler, '-p', 'src/sdk'], { cwd: projectRoot });
  const files = await declarationsOf(declarationFolder, entries.map(declarationOf));
  for (const format of ['esm', 'cjs']) {
    for (const [file, text] of files) await writePackageFile(`${format}/types/${file}`, text);
  }
}

function readSource(file: string): Promise<string> {
  return readFile(path.join(projectRoot, file), 'utf8');
}

async function writePackageFile(file: string, text: string): Promise<void> {
  const target = path.join(packageFolder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}
