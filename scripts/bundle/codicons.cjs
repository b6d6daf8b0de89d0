// An esbuild plugin that leaves only the icons of the panel in VS Code's icon font: 50 of 600.
'use strict';

const fs = require('node:fs');
const vm = require('node:vm');
const esbuild = require('esbuild');
const subsetFont = require('subset-font');

/** `list` is the module that exports `icons`. The build fails if the font lacks one of them. */
function codicons(list) {
  return {
    name: 'codicons',
    setup(build) {
      build.onLoad({ filter: /codicons[\\/]dist[\\/]codicon\.css$/ }, ({ path }) => {
        const { css, missing } = chosenRules(fs.readFileSync(path, 'utf8'), iconsIn(list));
        const errors = missing.map((name) => ({ text: `The icon font has no "${name}".`, location: { file: list } }));
        return { contents: css, loader: 'css', errors, watchFiles: [list] };
      });
      build.onLoad({ filter: /codicons[\\/]dist[\\/]codicon\.ttf$/ }, async ({ path }) => {
        const { css } = chosenRules(fs.readFileSync(path.replace(/ttf$/, 'css'), 'utf8'), iconsIn(list));
        const points = [...css.matchAll(rule)].map(([, , point]) => String.fromCodePoint(parseInt(point, 16)));
        const contents = await subsetFont(fs.readFileSync(path), points.join(''), { targetFormat: 'truetype' });
        return { contents, loader: 'file', watchFiles: [list] };
      });
    },
  };
}

/** `.codicon-add:before { content: "\ea60" }`. */
const rule = /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n?/gm;

function chosenRules(css, names) {
  const known = new Set([...css.matchAll(rule)].map(([, name]) => name));
  return {
    css: css.replace(rule, (line, name) => (names.has(name) ? line : '')),
    missing: [...names].filter((name) => !known.has(name)),
  };
}

function iconsIn(list) {
  const { code } = esbuild.transformSync(fs.readFileSync(list, 'utf8'), { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  vm.runInNewContext(code, { module, exports: module.exports });
  return new Set(module.exports.icons);
}

module.exports = { codicons };
