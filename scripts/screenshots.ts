// `npm run screenshots` draws every state of the panel in all themes and several widths, for a person to look at.
import { spawn } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from './projectRoot';

const folder = path.join(projectRoot, 'test-results', 'screenshots');

async function main(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const child = spawn(process.execPath, [mocha, 'test/webview/layout.test.ts'], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: { ...process.env, SCREENSHOTS_FOLDER: folder },
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
  const pictures = (await readdir(folder)).filter((name) => name.endsWith('.png')).toSorted();
  const overview = path.join(folder, 'index.html');
  await writeFile(overview, galleryOf(pictures));
  console.log(`\n${pictures.length} pictures. Open ${overview} to look at them.`);
  process.exitCode = code;
}

/** Names of pictures are `<state>-<theme>-<width>.png`, from the tests. */
function galleryOf(pictures: readonly string[]): string {
  const figures = pictures.map(
    (name) =>
      `<figure><a href="${name}"><img src="${name}" alt="" loading="lazy"></a><figcaption>${name.replace(/\.png$/, '')}</figcaption></figure>`,
  );
  return `<!doctype html>
<meta charset="utf-8">
<title>States of the panel</title>
<style>
  body { display: flex; flex-wrap: wrap; gap: 16px; font: 13px sans-serif; background: #888; }
  figure { margin: 0; }
  img { height: 420px; }
</style>
${figures.join('\n')}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
