import assert from 'node:assert/strict';
import { findPlaces } from '../../../../src/workspace/paths/findPlaces';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

describe('findPlaces', () => {
  const looked: string[] = [];

  class WatchedFileSystem extends MemoryFileSystem {
    override realPath(path: string): Promise<string | undefined> {
      looked.push(path);
      return super.realPath(path);
    }
  }

  function makeFileSystem(): MemoryFileSystem {
    const fileSystem = new WatchedFileSystem({
      '/w/src/cart.js': 'a',
      '/w/src/price.js': 'a',
      '/w/lib/price.js': 'a',
      '/w/dist/cart.min.js': 'a',
      '/w/README.md': 'a',
      '/w/.env': 'KEY=1',
      '/w/.ssh/id_rsa': 'key',
      '/etc/passwd': 'root',
    });
    fileSystem.makeLink('/w/outside', '/etc');
    return fileSystem;
  }

  const listed = ['src/cart.js', 'src/price.js', 'lib/price.js', 'README.md'];

  async function find(...names: readonly string[]): Promise<readonly string[]> {
    looked.length = 0;
    const places = await findPlaces(names, {
      roots: [{ name: 'w', path: '/w' }],
      fileSystem: makeFileSystem(),
      listNames: async () => listed,
    });
    return places.map(({ name, path }) => `${name} > ${path}`);
  }

  it('finds paths of files and folders, as they are shown', async () => {
    assert.deepEqual(
      await find('src/cart.js', './src/cart.js', '/w/src/cart.js', 'README.md', 'src/', 'dist/cart.min.js'),
      [
        'src/cart.js > src/cart.js',
        './src/cart.js > src/cart.js',
        '/w/src/cart.js > src/cart.js',
        'README.md > README.md',
        'src/ > src',
        'dist/cart.min.js > dist/cart.min.js',
      ],
    );
  });

  it('finds the end of exactly one listed path', async () => {
    assert.deepEqual(await find('cart.js', 'price.js', 'lib/price.js', 'art.js', 'cart.min.js', 'none.js'), [
      'cart.js > src/cart.js',
      'lib/price.js > lib/price.js',
    ]);
  });

  it('tells nothing of files that may hold secrets', async () => {
    assert.deepEqual(await find('.env', './.env', '.ssh/id_rsa', '.ssh'), []);
  });

  it('does not look at paths outside the workspace', async () => {
    assert.deepEqual(
      await find('/etc/passwd', '../etc/passwd', 'src/../../etc/passwd', '~/x.js', 'file:///etc/passwd'),
      [],
    );
    assert.deepEqual(
      looked.filter((path) => path.startsWith('/etc')),
      [],
    );
  });

  it('finds nothing behind a link that leads out of the workspace', async () => {
    assert.deepEqual(await find('outside/passwd', 'outside'), []);
  });

  it('names the folder where there are several', async () => {
    const fileSystem = new MemoryFileSystem({ '/a/src/x.ts': '', '/b/src/y.ts': '' });
    const roots = [
      { name: 'a', path: '/a' },
      { name: 'b', path: '/b' },
    ];
    const listNames = async () => ['a/src/x.ts', 'b/src/y.ts'];
    assert.deepEqual(await findPlaces(['a/src/x.ts', 'src/y.ts', 'b'], { roots, fileSystem, listNames }), [
      { name: 'a/src/x.ts', path: 'a/src/x.ts' },
      { name: 'src/y.ts', path: 'b/src/y.ts' },
      { name: 'b', path: 'b' },
    ]);
  });
});
