// Puts the shell grammars beside a bundle, compressed: as WebAssembly they would be a third of the VSIX.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { brotliCompressSync, constants } = require('node:zlib');

const names = ['tree-sitter', 'tree-sitter-bash', 'tree-sitter-powershell'];

/** `isSmall` takes two seconds more and saves a third. src/workspace/shell/parse/grammars.ts reads the files. */
function copyGrammars(directory, { isSmall }) {
  const source = path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  for (const name of names) {
    const wasm = fs.readFileSync(path.join(source, `${name}.wasm`));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: isSmall ? constants.BROTLI_MAX_QUALITY : constants.BROTLI_MIN_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length,
    };
    fs.writeFileSync(path.join(directory, `${name}.wasm.br`), brotliCompressSync(wasm, { params }));
  }
}

module.exports = { copyGrammars };
