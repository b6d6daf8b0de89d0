import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/projectRoot';
import { currentSettingsPage } from '../../scripts/settingsPage';

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('test/fixtures/') && existsSync(path.join(projectRoot, file)));

function read(file: string): string {
  return readFileSync(path.join(projectRoot, file), 'utf8');
}

/** The text without code blocks, whose brackets are no links. */
function prose(file: string): string {
  return read(file).replaceAll(/^```.*?^```/gms, '');
}

/** The anchors that GitHub makes of a document's headings. */
function anchorsOf(file: string): readonly string[] {
  return [...prose(file).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(file: string): readonly string[] {
  const targets = [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [name = '', anchor] = target.split('#');
    const linked = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
    if (!existsSync(path.join(projectRoot, linked))) return true;
    return anchor !== undefined && !anchorsOf(linked).includes(anchor);
  });
}

describe('the documents', () => {
  it('are found', () => {
    assert.ok(documents.includes('README.md') && documents.includes('docs/settings.md'), documents.join(', '));
  });

  for (const file of documents) {
    it(`${file} has no broken link`, () => assert.deepEqual(brokenLinks(file), []));
  }

  it('README.md has at most 120 lines', () => {
    assert.ok(read('README.md').split('\n').length <= 121);
  });

  it('every promise in SECURITY.md names tests that exist', () => {
    const tests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'test'], {
      cwd: projectRoot,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((file) => /\.test\.tsx?$/.test(file) && existsSync(path.join(projectRoot, file)));
    const table = read('SECURITY.md')
      .split('\n## ')
      .find((section) => section.startsWith('What the promises rest on'));
    const rows = (table ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2);
    assert.ok(rows.length > 10);
    for (const row of rows) {
      const cell = row.split(' | ').at(-1) ?? '';
      const named = [...cell.matchAll(/`([^`]+)`/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => !name.startsWith('npm '));
      assert.notDeepEqual(named, [], row);
      const missing = named.filter(
        (name) => !tests.some((file) => `${file.replace(/\.test\.tsx?$/, '')}/`.includes(`/${name}/`)),
      );
      assert.deepEqual(missing, [], row);
    }
  });

  it('every page in docs is linked from README.md', () => {
    const pages = documents.filter((file) => file.startsWith('docs/') && !file.startsWith('docs/decisions/'));
    assert.deepEqual(
      pages.filter((page) => !read('README.md').includes(`(${page}`)),
      [],
    );
  });

  it('docs/settings.md matches package.json (npm run docs writes it)', async () => {
    assert.equal(read('docs/settings.md'), await currentSettingsPage());
  });

  it('every path that ARCHITECTURE.md names exists', () => {
    const named = [...read('ARCHITECTURE.md').matchAll(/`((?:src|test|scripts|bench|docs)\/[\w./-]+)`/g)].map(
      (match) => match[1]!,
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((name) => !existsSync(path.join(projectRoot, name))),
      [],
    );
  });
});
