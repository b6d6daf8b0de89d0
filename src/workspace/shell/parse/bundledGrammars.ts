import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../../util/errors';
import { Grammars } from './grammars';

/** Where the package has the grammars. Only the source tree reads them there. */
const PACKAGE_FOLDER = path.join(__dirname, '../../../../node_modules/@vscode/tree-sitter-wasm/wasm');

/** The grammars that the extension and the command line bring along. */
export function bundledGrammars(): Grammars {
  return new Grammars({ module: () => import('@vscode/tree-sitter-wasm'), read: readWasm });
}

/** The build puts the grammars beside the bundle, compressed. In the source tree they come from the package. */
async function readWasm(name: string): Promise<Uint8Array> {
  const file = `${name}.wasm`;
  // A start needs no grammar.
  const { brotliDecompress } = process.getBuiltinModule('node:zlib');
  try {
    return await promisify(brotliDecompress)(await readFile(path.join(__dirname, `${file}.br`)));
  } catch (error) {
    const inPackage = await readFile(path.join(PACKAGE_FOLDER, file)).catch(() => undefined);
    if (inPackage) return inPackage;
    throw new Error(`${file}.br cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
