import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { dataUrl, pngOf, pngStart } from '../../support/images/sampleImages';

const png = pngOf(1_600, 900);

describe('images on the command line', () => {
  const cli = useCommandLine({ files: { 'a.svg': '<svg/>', 'a.txt': 'one\n' } });
  const contentOf = (index: number): unknown => cli.server.completions[index]?.body.messages.at(-1)?.content;

  beforeEach(async () => {
    await writeFile(path.join(cli.folder, 'shot.png'), png);
    await writeFile(path.join(cli.folder, 'bomb.png'), pngStart(60_000, 60_000));
  });

  it('go with the prompt as they are, and are kept beside the session', async () => {
    cli.server.script({ text: 'Red.' });
    const ended = await cli.run([...cli.flags, '-p', 'Which colour?', '--image', 'shot.png']);
    assert.deepEqual([ended.code, ended.stdout], [0, 'Red.\n']);
    assert.deepEqual(contentOf(0), [
      { type: 'image_url', image_url: { url: dataUrl(png) } },
      { type: 'text', text: 'Which colour?' },
    ]);
    const sessions = path.join(cli.home, '.open-agent', 'sessions');
    const [hash = ''] = await readdir(path.join(sessions, 'images'));
    assert.deepEqual(await readFile(path.join(sessions, 'images', hash)), png);
  });

  for (const [file, problem] of [
    ['a.svg', /--image a\.svg: The image cannot be used: it is no PNG, JPEG, WebP or GIF/],
    ['bomb.png', /60000 × 60000 pixels, which is too large/],
    ['none.png', /--image none\.png: ENOENT/],
    ['.', /--image \.: /],
  ] as const) {
    it(`are refused before anything is sent: ${file}`, async () => {
      const ended = await cli.run([...cli.flags, '-p', 'Look', '--image', file]);
      assert.equal(ended.code, 2);
      assert.match(ended.stderr, problem);
      assert.deepEqual(cli.server.completions, []);
    });
  }

  it('are read by the model where it takes images', async () => {
    await mkdir(path.join(cli.home, '.open-agent'), { recursive: true });
    const settings = { modelOptions: { '*': { images: true } } };
    await writeFile(path.join(cli.home, '.open-agent', 'settings.json'), JSON.stringify(settings));
    const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'shot.png' } }] };
    cli.server.script(read, { text: 'Red.' });
    const ended = await cli.run([...cli.flags, '-p', 'Look at shot.png']);
    assert.deepEqual([ended.code, ended.stdout], [0, 'Red.\n']);
    assert.deepEqual(contentOf(1), [
      { type: 'text', text: 'shot.png (image/png, 1600 × 900 pixels):' },
      { type: 'image_url', image_url: { url: dataUrl(png) } },
    ]);
  });

  it('are not read by the model where nobody says that it takes images', async () => {
    const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'shot.png' } }] };
    cli.server.script(read, { text: 'No.' });
    await cli.run([...cli.flags, '-p', 'Look at shot.png']);
    assert.match(String(contentOf(1)), /^shot\.png is a PNG image of \d+ bytes\. read_file reads UTF-8 text only\.$/);
  });
});
