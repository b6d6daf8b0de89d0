import assert from 'node:assert/strict';
import { createFindCheck } from '../../../../src/agent/runSummary/findCheck';
import { createNodeFileSystem } from '../../../../src/workspace/node/files/nodeFileSystem';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';

describe('what a command checks', () => {
  let folder: TemporaryFolder;
  const scripts = {
    test: 'mocha --parallel',
    verify: 'npm run types && npm run style',
    types: 'tsc --noEmit',
    style: 'oxlint .',
    start: 'node server.js',
    look: 'npm run look',
    'test:slow': 'sh scripts/slow.sh',
    named: 'jest tests',
  };

  before(async () => {
    folder = await createTemporaryFolder({
      'package.json': JSON.stringify({ scripts }),
      'api/package.json': JSON.stringify({ scripts: { go: 'vitest run' } }),
      Makefile: 'all: lint\n\techo done\nlint:\n\t@ruff check .\nship: all\n\tcp a b\n',
      'pyproject.toml': '[project]\nname = "x"\nunit = "no"\n[tool.poe.tasks]\nunit = "pytest -q"\n',
      'deno.json': '{broken',
    });
  });
  after(() => folder.dispose());

  const kindsOf = async (command: string, cwd = '.', shellName = 'bash'): Promise<string | undefined> => {
    const roots = () => [{ name: 'w', path: folder.path }];
    const find = createFindCheck({ fileSystem: createNodeFileSystem(), roots, commandRunner: { shellName } });
    const check = await find(command, cwd);
    return check && `${check.kinds.join(', ')}${check.isExitUnsure ? ' (unsure)' : ''}`;
  };

  it('looks at each script once, and at no more than a few', async () => {
    const again = (name: string): string => `npm run ${name} && `.repeat(2_000);
    const scripts: Record<string, string> = { loop: `${again('loop')}jest`, other: `${again('loop')}eslint .` };
    for (let at = 0; at < 500; at += 1) scripts[`s${at}`] = `npm run s${at + 1}; npm run s${at + 2}; npm run other`;
    const hostile = await createTemporaryFolder({ 'package.json': JSON.stringify({ scripts }) });
    let reads = 0;
    const disk = createNodeFileSystem();
    const fileSystem = { ...disk, openText: (path: string) => ((reads += 1), disk.openText(path)) };
    const roots = () => [{ name: 'w', path: hostile.path }];
    const find = createFindCheck({ fileSystem, roots, commandRunner: { shellName: 'bash' } });
    for (const command of ['npm run loop', 'npm run other', 'npm run s0', 'npm run s0; '.repeat(39)]) {
      reads = 0;
      await find(command, '.');
      assert.ok(reads <= 20, `${command.slice(0, 20)}: ${reads} reads`);
    }
    await hostile.dispose();
  });

  it('is known by the program, also behind programs that run others', async () => {
    const known = {
      'pytest -q': 'tests',
      'CI=1 npx --yes vitest run': 'tests',
      'python3 -m pytest tests/test_a.py': 'tests',
      'uv run mypy .': 'type check',
      'timeout 60 cargo test --all': 'tests',
      'cargo +nightly clippy': 'lint',
      './node_modules/.bin/tsc --noEmit': 'type check',
      './gradlew clean build': 'build',
      'prettier --check src': 'lint',
      'node --import tsx --test test': 'tests',
    };
    for (const [command, kinds] of Object.entries(known)) assert.equal(await kindsOf(command), kinds, command);
  });

  it('is known by the scripts of the project, whatever their names are', async () => {
    assert.equal(await kindsOf('npm test'), 'tests');
    assert.equal(await kindsOf('npm run verify'), 'type check, lint');
    assert.equal(await kindsOf('yarn named'), 'tests');
    assert.equal(await kindsOf('cd api && npm run go'), 'tests');
    assert.equal(await kindsOf('npm run go', 'api'), 'tests');
    assert.equal(await kindsOf('make ship'), 'lint');
    assert.equal(await kindsOf('poe unit'), 'tests');
  });

  it('is known by the name of a script that says nothing else', async () => {
    assert.equal(await kindsOf('npm run test:slow'), 'tests');
    assert.equal(await kindsOf('npm run type-check'), 'type check');
    assert.equal(await kindsOf('deno task build'), 'build');
    assert.equal(await kindsOf('make check', '../elsewhere'), 'checks');
  });

  it('is nothing for other commands, even when they name a check', async () => {
    const others = [
      'echo "npm test"',
      'npm run start',
      'npm run look',
      'npm install',
      'cat pytest.ini',
      'git status',
      '',
    ];
    for (const command of others) assert.equal(await kindsOf(command), undefined, command);
  });

  it('says when the exit code may be that of another call', async () => {
    assert.equal(await kindsOf('npm test && echo done'), 'tests');
    assert.equal(await kindsOf('npm test | tail -5'), 'tests (unsure)');
    assert.equal(await kindsOf('npm test || true'), 'tests (unsure)');
    assert.equal(await kindsOf('npm test; echo $?'), 'tests (unsure)');
    assert.equal(await kindsOf('npm run lint && npm test'), 'lint, tests');
  });
});
