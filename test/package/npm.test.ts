import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../scripts/projectRoot';
import { ModelServer } from '../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';

const run = promisify(execFile);

/** In an extension of somebody else's. The test compiles this program without any other package. */
const program = `
import type { OpenAgentApi } from 'open-agent-vscode/api';

type Tool = Parameters<OpenAgentApi['registerTool']>[0];

export const register = (api: OpenAgentApi, tool: Tool): void => api.registerTool(tool).dispose();
`;

describe('the npm package of the command line, in an empty project', () => {
  let folder: TemporaryFolder;
  let project: string;
  let installed: string;

  before(async () => {
    folder = await createTemporaryFolder({ 'project/agent.ts': program });
    project = path.join(folder.path, 'project');
    installed = path.join(project, 'node_modules', 'open-agent-vscode');
    await mkdir(installed, { recursive: true });
    // `npm pack` runs the script `prepack`, which builds.
    await run('npm', ['pack', '--silent', '--pack-destination', folder.path], { cwd: projectRoot });
    const tarball = (await readdir(folder.path)).find((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', path.join(folder.path, tarball ?? ''), '-C', installed, '--strip-components=1']);
  });
  after(() => folder.dispose());

  it('contains only the command line and the types of the API', async () => {
    const entries = await readdir(installed, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
    const built = /^dist\/cli\/[\w-]+\.(js|wasm\.br)$|^dist\/api\/types\/(sdk|util|host\/api)\/[\w/]+\.d\.ts$/;
    assert.deepEqual(files.filter((file) => !built.test(file)).sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/cli/third-party-notices.txt',
      ...(await readdir(path.join(projectRoot, 'docs'))).map((file) => `docs/${file}`).sort(),
      'package.json',
      'src/sdk/README.md',
    ]);
    // Bundled packages are no dependencies.
    const manifest = await readFile(path.join(installed, 'package.json'), 'utf8');
    assert.equal('dependencies' in (JSON.parse(manifest) as object), false);
    for (const file of ['dist/cli/cli.js', 'dist/api/types/host/api/openAgentApi.d.ts']) {
      assert.ok(files.includes(file), file);
    }
  });

  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    it(`has types for moduleResolution ${resolution}`, async () => {
      const out = path.join(project, module);
      const compiler = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
      const flags = ['--strict', '--target', 'es2022', '--lib', 'es2024,esnext.disposable', '--types', ''];
      const modules = ['--module', module, '--moduleResolution', resolution, '--outDir', out];
      await run(process.execPath, [compiler, ...flags, ...modules, 'agent.ts'], { cwd: project });
    });
  }

  it('installs the command line as its program', async () => {
    const manifest = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
      readonly version: string;
      readonly bin: Readonly<Record<string, string>>;
    };
    const cli = path.join(installed, manifest.bin['open-agent'] ?? '');
    assert.match(await readFile(cli, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    const env = { ...process.env, HOME: folder.path, OPEN_AGENT_BASE_URL: '', OPEN_AGENT_MODEL: '' };
    const version = await run(process.execPath, [cli, '--version'], { cwd: project, env });
    assert.equal(version.stdout, `open-agent ${manifest.version}\n`);
    await using server = await ModelServer.start();
    server.script({ text: 'Hello.' });
    const said = await run(process.execPath, [cli, '--base-url', server.baseUrl, '-p', 'Hi'], { cwd: project, env });
    assert.match(said.stdout, /Hello\./);
    server.script({ toolCalls: [{ name: 'read_file', arguments: { path: 'agent.ts' } }] }, { text: 'Read.' });
    const args = ['--base-url', server.baseUrl, '--no-tui', '--autoresume', '--output', 'json', '-p', 'Read agent.ts'];
    const events = (await run(process.execPath, [cli, ...args], { cwd: project, env })).stdout.trimEnd().split('\n');
    const [first, last] = [events[0], events.at(-1)].map((line) => JSON.parse(line ?? '') as Record<string, unknown>);
    assert.deepEqual([first?.['v'], first?.['type'], first?.['isResumed']], [1, 'session', true]);
    assert.deepEqual([last?.['status'], last?.['exitCode'], last?.['answer']], ['FINISHED', 0, 'Read.']);
    // Runs unasked only if the packed shell grammars load. A denied call would end with another code.
    const command = 'cat agent.ts | head -1';
    server.script({ toolCalls: [{ name: 'run_terminal_command', arguments: { command } }] }, { text: 'Looked.' });
    const look = ['--base-url', server.baseUrl, '--no-tui', '-p', 'Look'];
    assert.match((await run(process.execPath, [cli, ...look], { cwd: project, env })).stdout, /Looked\./);
    assert.deepEqual(server.unexpected, []);
  });

  it('asks the model without loading large parts of Node that it does not need', async () => {
    const note = path.join(folder.path, 'note.cjs');
    await writeFile(note, "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));\n");
    const env = { ...process.env, HOME: folder.path, OPEN_AGENT_BASE_URL: '', OPEN_AGENT_MODEL: '' };
    await using server = await ModelServer.start();
    server.script({ text: 'Hello.' });
    const cli = path.join(installed, 'dist/cli/cli.js');
    const args = ['--require', note, cli, '--base-url', server.baseUrl, '-p', 'Hi'];
    const { stderr } = await run(process.execPath, args, { cwd: project, env });
    const loaded = stderr.split('\n').flatMap((line) => /^NativeModule (.+)/.exec(line)?.[1] ?? []);
    assert.ok(loaded.includes('http'), stderr);
    const large = ['internal/deps/undici/undici', 'zlib', 'worker_threads', 'internal/crypto/webcrypto'];
    assert.deepEqual(
      large.filter((name) => loaded.includes(name)),
      [],
    );
  });
});
