// Builds everything that ships: `node esbuild.js [--watch] [--production] [--only extension,webview,cli,sdk]`.
//
// The extension, the command line and the SDK are each built with code splitting, so that every dynamic `import()`
// becomes a file of its own that is loaded on first use. esbuild splits only ES modules, and an extension host loads
// CommonJS most reliably, so each finished chunk is turned into CommonJS in a second pass.
'use strict';

const esbuild = require('esbuild');
const fs = require('node:fs');
const path = require('node:path');
const { codicons } = require('./scripts/codicons.cjs');
const { copyGrammars } = require('./scripts/copyGrammars.cjs');
const { thirdPartyNotices } = require('./scripts/thirdPartyNotices.cjs');

const flags = process.argv.slice(2);
const isWatch = flags.includes('--watch');
const isProduction = flags.includes('--production');
const onlyFlag = flags[flags.indexOf('--only') + 1];
const only = flags.includes('--only') && onlyFlag ? onlyFlag.split(',') : ['extension', 'webview', 'cli', 'sdk'];

/** Code that `activate()` may load, in bytes: the entry and everything it imports statically. */
const activationBudgetBytes = 150_000;

const common = {
  bundle: true,
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  metafile: true,
  logLevel: 'silent',
};

/**
 * The MCP library brings Ajv (160 kB, makes code from schemas) to check the results of tools that `Client.listTools` has
 * listed. src/mcp/connection.ts lists tools by a request of its own, so nothing is ever checked.
 */
const leaveOutAjv = {
  name: 'leave-out-ajv',
  setup(build) {
    build.onLoad({ filter: /@modelcontextprotocol[\\/]sdk[\\/].*[\\/]ajv-provider\.js$/ }, () => ({
      contents: `export class AjvJsonSchemaValidator {
        getValidator() { throw new Error('This build has no Ajv.'); }
      }`,
    }));
  },
};

function nodeTarget(name, entry, outfile, { external = [], hasGrammars = false, launcher } = {}) {
  return {
    name,
    entry: `dist/${name}/${outfile}.js`,
    options: {
      ...common,
      entryPoints: { [outfile]: entry },
      outdir: `dist/${name}`,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      splitting: true,
      write: false,
      external,
      chunkNames: '[name]-[hash]',
      // `import` first: some packages ship a CommonJS build that esbuild cannot shake.
      mainFields: ['module', 'main'],
      plugins: [
        leaveOutAjv,
        writeAsCommonJs(name),
        ...(launcher ? [buildLauncher(name, launcher)] : []),
        ...(hasGrammars ? [addGrammars(name)] : []),
        thirdPartyNotices(`dist/${name}`, hasGrammars ? ['@vscode/tree-sitter-wasm'] : []),
        report(name),
      ],
    },
  };
}

const targets = [
  nodeTarget('extension', 'src/extension.ts', 'extension', { external: ['vscode'], hasGrammars: true }),
  nodeTarget('cli', 'src/cli/program.ts', 'program', { hasGrammars: true, launcher: 'src/cli.ts' }),
  nodeTarget('sdk', 'src/sdk/index.ts', 'index'),
  {
    name: 'webview',
    entry: 'dist/webview/main.js',
    options: {
      ...common,
      entryPoints: { main: 'src/webview/main.tsx' },
      outdir: 'dist/webview',
      platform: 'browser',
      target: 'es2022',
      format: 'esm',
      splitting: true,
      chunkNames: '[name]-[hash]',
      assetNames: '[name]',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      tsconfig: 'src/webview/tsconfig.json',
      loader: { '.ttf': 'file', '.svg': 'file' },
      plugins: [
        cleanOutput('webview'),
        codicons('src/webview/controls/icons.ts'),
        thirdPartyNotices('dist/webview'),
        report('webview'),
      ],
    },
  },
];

/** Writes the ES-module chunks of a build as CommonJS; replaces the output folder's JavaScript. */
function writeAsCommonJs(name) {
  return {
    name: 'write-as-commonjs',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0 || !result.outputFiles) return;
        const directory = path.resolve(`dist/${name}`);
        removeScripts(directory);
        fs.mkdirSync(directory, { recursive: true });
        const maps = new Map(result.outputFiles.filter((file) => file.path.endsWith('.map')).map((f) => [f.path, f]));
        for (const file of result.outputFiles) {
          if (file.path.endsWith('.map')) continue;
          const map = maps.get(`${file.path}.map`);
          const { code, map: finalMap } = await esbuild.transform(
            map ? withInlineMap(file.text, map.text) : file.text,
            {
              format: 'cjs',
              platform: 'node',
              target: 'node20',
              // `require` in a promise: Node's `import()` of CommonJS parses each file a second time, for its exports.
              supported: { 'dynamic-import': false },
              minify: isProduction,
              sourcemap: isProduction ? false : 'external',
              sourcefile: path.basename(file.path),
            },
          );
          const link = finalMap ? `//# sourceMappingURL=${path.basename(file.path)}.map\n` : '';
          fs.writeFileSync(file.path, code + link);
          if (finalMap) fs.writeFileSync(`${file.path}.map`, finalMap);
        }
      });
    },
  };
}

/** The file that starts the program, built alone, because it loads the other files itself. */
function buildLauncher(name, entry) {
  return {
    name: 'build-launcher',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        await esbuild.build({
          ...common,
          metafile: false,
          entryPoints: [entry],
          outdir: `dist/${name}`,
          platform: 'node',
          target: 'node20',
        });
      });
    },
  };
}

/** The code that loads the grammars looks beside itself (src/workspace/shell/parse/grammars.ts). */
function addGrammars(name) {
  return {
    name: 'add-grammars',
    setup(build) {
      build.onEnd((result) => {
        if (result.errors.length === 0) copyGrammars(path.resolve(`dist/${name}`), { isSmall: isProduction });
      });
    },
  };
}

function withInlineMap(code, map) {
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;
  return code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n') + inline;
}

function cleanOutput(name) {
  return { name: 'clean-output', setup: (build) => build.onStart(() => removeScripts(path.resolve(`dist/${name}`))) };
}

/** Stale chunks would end up in the package. Declarations under `types/` stay. */
function removeScripts(directory) {
  if (!fs.existsSync(directory)) return;
  for (const file of fs.readdirSync(directory)) {
    if (/\.(js|css|ttf|map|wasm|br)$/.test(file)) fs.rmSync(path.join(directory, file));
  }
}

/** Prints what is loaded at once and what on first use; over budget fails the build. */
function report(name) {
  return {
    name: 'report',
    setup(build) {
      build.onEnd((result) => {
        for (const message of result.errors) console.error(formatMessage('error', message));
        for (const message of result.warnings) console.warn(formatMessage('warning', message));
        if (result.errors.length > 0 || !result.metafile) return;
        const target = targets.find((candidate) => candidate.name === name);
        const outputs = result.metafile.outputs;
        const eager = staticClosure(outputs, target.entry);
        const sizes = new Map(
          Object.keys(outputs).map((file) => [file, fs.existsSync(file) ? fs.statSync(file).size : 0]),
        );
        const eagerBytes = [...eager].reduce((sum, file) => sum + sizes.get(file), 0);
        const lazy = [...sizes]
          .filter(([file]) => !eager.has(file) && file.endsWith('.js'))
          .sort((a, b) => b[1] - a[1]);
        console.log(`${name}: ${kilobytes(eagerBytes)} loaded at once, ${kilobytes(sum(lazy))} on first use`);
        for (const [file, bytes] of lazy.filter(([, size]) => size > 1000).slice(0, 8)) {
          console.log(`  ${kilobytes(bytes).padStart(9)}  ${path.basename(file)}`);
        }
        if (name === 'extension' && isProduction && eagerBytes > activationBudgetBytes) {
          console.error(
            `extension: activation loads ${kilobytes(eagerBytes)}, more than ${kilobytes(activationBudgetBytes)}`,
          );
          process.exitCode = 1;
        }
      });
    },
  };
}

const sum = (entries) => entries.reduce((total, [, bytes]) => total + bytes, 0);
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

function formatMessage(kind, { text, location }) {
  return location ? `${location.file}:${location.line}:${location.column}: ${kind}: ${text}` : `${kind}: ${text}`;
}

/** The output files that loading `entry` loads too. */
function staticClosure(outputs, entry) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file) || !outputs[file]) return;
    seen.add(file);
    for (const imported of outputs[file].imports) if (imported.kind === 'import-statement') visit(imported.path);
  };
  visit(entry);
  return seen;
}

async function main() {
  const chosen = targets.filter((target) => only.includes(target.name));
  if (isWatch) {
    // The lines `[watch] …` are what the background task of .vscode/tasks.json waits for.
    for (const { name, options } of chosen) {
      const context = await esbuild.context({ ...options, plugins: [...options.plugins, announceWatch(name)] });
      await context.watch();
    }
    return;
  }
  const results = await Promise.allSettled(chosen.map((target) => esbuild.build(target.options)));
  if (results.some((result) => result.status === 'rejected')) process.exitCode = 1;
}

function announceWatch(name) {
  return {
    name: 'announce-watch',
    setup(build) {
      build.onStart(() => console.log(`[watch] ${name}: build started`));
      build.onEnd(() => console.log(`[watch] ${name}: build finished`));
    },
  };
}

void main();
