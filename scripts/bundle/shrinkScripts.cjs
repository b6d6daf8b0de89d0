// Makes the minified scripts of a build smaller. Only the VSIX needs it: it takes ten times as long as the build.
'use strict';

const fs = require('node:fs');
const { minify } = require('terser');

/** Rewrites each script of an esbuild result. `isModule`: they are ES modules. Rejects with the name of a script that it cannot read. */
async function shrinkScripts({ outputs }, { isModule }) {
  for (const file of Object.keys(outputs).filter((name) => name.endsWith('.js'))) {
    const options = {
      module: isModule,
      // CommonJS is loaded as the body of a function, so its outermost names are its own too.
      toplevel: true,
      compress: { passes: 2, ecma: 2020 },
      format: { ecma: 2020, ascii_only: true },
    };
    const { code } = await minify({ [file]: fs.readFileSync(file, 'utf8') }, options);
    if (!code) throw new Error(`Nothing is left of ${file}.`);
    fs.writeFileSync(file, code);
  }
}

module.exports = { shrinkScripts };
