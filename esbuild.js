// Builds everything that ships: `node esbuild.js [--watch] [--production] [--only extension,webview,cli,sdk,bridge]`.
//
// The extension, the command line and the SDK are each built with code splitting, so that every dynamic `import()`
// becomes a file of its own that is loaded on first use. esbuild splits only ES modules, and an extension host loads
// CommonJS most reliably, so each finished chunk is turned into CommonJS in a second pass.
'use strict';

const esbuild = require('esbuild');
const fs = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const { brotliCompressSync, constants } = require('node:zlib');
const { codicons } = require('./scripts/bundle/codicons.cjs');
const { copyGrammars } = require('./scripts/bundle/copyGrammars.cjs');
const { shrinkScripts } = require('./scripts/bundle/shrinkScripts.cjs');
const sdkEntries = require('./scripts/sdkPackage/entries.json');
const { thirdPartyNotices } = require('./scripts/bundle/thirdPartyNotices.cjs');

const flags = process.argv.slice(2);
const isWatch = flags.includes('--watch');
const isProduction = flags.includes('--production');
const onlyFlag = flags[flags.indexOf('--only') + 1];
const only =
  flags.includes('--only') && onlyFlag ? onlyFlag.split(',') : ['extension', 'webview', 'cli', 'sdk', 'bridge'];

/** Code that `activate()` may load, in bytes: the entry and everything it imports statically. */
const activationBudgetBytes = 30_000;

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

/** The converter of zod 3's types needs only the names of their kinds from zod 3, which are the same as the keys. */
const leaveOutZod3 = {
  name: 'leave-out-zod3',
  setup(build) {
    build.onResolve({ filter: /^zod\/v3$/ }, ({ importer }) =>
      /[\\/]zod-to-json-schema[\\/]/.test(importer)
        ? { path: 'kinds', namespace: 'zod3', sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /^kinds$/, namespace: 'zod3' }, () => ({
      contents: `export const ZodFirstPartyTypeKind = /* @__PURE__ */ new Proxy({}, { get: (_, name) => name });`,
    }));
  },
};

/** Only callers of the SDK bring schemas of zod 3. Our own tools are described with zod 4. */
const leaveOutZod3Schemas = {
  name: 'leave-out-zod3-schemas',
  setup(build) {
    build.onResolve({ filter: /^zod-to-json-schema$/ }, () => ({
      path: 'converter',
      namespace: 'zod3',
      sideEffects: false,
    }));
    build.onLoad({ filter: /^converter$/, namespace: 'zod3' }, () => ({
      contents: `export const ignoreOverride = undefined;
        export function zodToJsonSchema() { throw new Error('This build takes no schemas of zod 3.'); }`,
    }));
  },
};

/**
 * `openai` speaks all of OpenAI's services. src/sdk/model/openaiProvider.ts asks for chat completions only, and reads the
 * stream itself. The classes of the others stay, empty, because the client makes one of each.
 */
const leaveOutOtherServices = {
  name: 'leave-out-other-services',
  setup(build) {
    const others =
      /[\\/]openai[\\/](?:lib[\\/].*|resources[\\/].*|azure|bedrock|auth[\\/]workload-identity-auth)\.mjs$/;
    build.onLoad({ filter: others }, ({ path: file }) => {
      const code = fs.readFileSync(file, 'utf8');
      // A file that passes on other files has nothing of its own.
      if (/[\\/]resources[\\/]chat[\\/]/.test(file) || /^export (?:\*|\{[^}]*\}) from/m.test(code)) return undefined;
      const names = [...code.matchAll(/^export (?:class|const|let|var|(?:async )?function\*?) (\w+)/gm)];
      return { contents: names.map(([, name]) => `export class ${name} {}`).join('\n') };
    });
  },
};

/**
 * For the classes `Headers` and `FormData`, Node loads its whole `fetch`: a twelfth of the time until the first request. The
 * client of `openai` needs no more of them than this, because src/sdk/model/openaiRequest.ts sends JSON.
 */
const leaveOutNodeFetch = {
  name: 'leave-out-node-fetch',
  setup(build) {
    const headerFields = JSON.stringify(path.resolve('src/sdk/model/http/headerFields.ts'));
    const ownHeaders = `import { HeaderFields as Headers } from ${headerFields};`;
    const own = {
      headers: [/\bnew Headers\(\)/, ownHeaders],
      log: [/\bdetails\.headers instanceof Headers\b/, ownHeaders],
      client: [/\bbody instanceof FormData\b/, 'class FormData {}'],
    };
    const users = /[\\/]openai[\\/](?:internal[\\/](?:headers|utils[\\/]log)|client)\.mjs$/;
    build.onLoad({ filter: users }, ({ path: file }) => {
      const code = fs.readFileSync(file, 'utf8');
      const [use, declaration] = own[path.basename(file, '.mjs')];
      if (!use.test(code)) return { errors: [{ text: `${file} uses another class of Node's fetch.` }] };
      return { contents: `${declaration}\n${code}` };
    });
  },
};

/**
 * The library of the grammars makes a `require` of its own, after an `import()` that would become a call of it. The bundle's
 * `require` serves it as well.
 */
const shareRequire = {
  name: 'share-require',
  setup(build) {
    build.onLoad({ filter: /@vscode[\\/]tree-sitter-wasm[\\/]wasm[\\/]tree-sitter\.js$/ }, ({ path: file }) => {
      const own =
        /const \{ createRequire \} = await import\("module"\);\s*var require = createRequire\(getCurrentScriptUrl\(\)\);/;
      const code = fs.readFileSync(file, 'utf8');
      if (!own.test(code)) return { errors: [{ text: `${file} has another way of making its require.` }] };
      return { contents: code.replace(own, '') };
    });
  },
};

/** The SDK loads the reader of arguments with the first call. Extension and command line load it anyway: a file would only take space. */
const loadArgumentsAtOnce = {
  name: 'load-arguments-at-once',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]sdk[\\/]tool\.ts$/, namespace: 'file' }, ({ path: file }) => {
      const later = /const (\{ coerceBySchema \}) = await import\(('[^']+')\);/;
      const code = fs.readFileSync(file, 'utf8');
      const [statement, names, from] = later.exec(code) ?? [];
      if (statement === undefined)
        return { errors: [{ text: `${file} loads the reader of arguments in another way.` }] };
      return { contents: `import ${names} from ${from};\n${code.replace(statement, '')}`, loader: 'ts' };
    });
  },
};

/** Packages that are CommonJS require Node's modules, which an ES module cannot. */
const importBuiltins = {
  name: 'import-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?\w+$/ }, ({ path: name, kind }) =>
      kind === 'require-call' && isBuiltin(name) ? { path: name, namespace: 'builtin', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `export * from ${JSON.stringify(name)};`,
    }));
  },
};

/** Comments between the statements of a package are read at each start. One has a dash that makes Node keep two bytes a character. */
const leaveOutComments = {
  name: 'leave-out-comments',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/, namespace: 'file' }, async ({ path: file }) => {
      const code = fs.readFileSync(file, 'utf8');
      const options = { minifyWhitespace: true, sourcemap: 'inline', sourcefile: file, legalComments: 'inline' };
      return { contents: (await esbuild.transform(code, options)).code };
    });
  },
};

/** Small files that parts of the SDK share and its main entry does not need. */
const smallFiles = [
  'src/mcp/serverName.ts',
  'src/util/disposable.ts',
  'src/util/emitter.ts',
  'src/workspace/node/processes/systemProgram.ts',
  'src/workspace/tools/workspaceToolNames.ts',
];

/**
 * Every part of the SDK loads all that its main entry loads. So esbuild writes that into one file instead of one for each
 * set of parts that share something: a file costs Node more than the code in it.
 */
const shareMainEntry = {
  name: 'share-main-entry',
  setup(build) {
    const entries = sdkEntries.map(({ source }) => path.resolve(source));
    const shared = [entries[0], ...smallFiles.map((file) => path.resolve(file))];
    const imports = shared.map((file) => `import ${JSON.stringify(file)};`).join('\n');
    build.onResolve({ filter: /./ }, async ({ path: name, kind, resolveDir, importer, pluginData }) => {
      if (pluginData === shareMainEntry || (kind !== 'dynamic-import' && kind !== 'entry-point')) return undefined;
      const found = await build.resolve(name, { kind, resolveDir, importer, pluginData: shareMainEntry });
      const isPart = kind === 'dynamic-import' ? !found.external : entries.includes(found.path);
      return isPart && found.errors.length === 0 ? { path: found.path, namespace: 'part' } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'part' }, ({ path: file }) => ({
      contents: `${imports} export * from ${JSON.stringify(file)};`,
      resolveDir: path.dirname(file),
    }));
  },
};

/** The browser knows the names of characters, such as `&copy;`. The parser of Markdown brings 77 kB with them. */
const decodeInBrowser = {
  name: 'decode-in-browser',
  setup(build) {
    build.onResolve({ filter: /^entities$/ }, ({ importer }) =>
      /[\\/]markdown-it[\\/]/.test(importer)
        ? { path: 'entities', namespace: 'browser', sideEffects: false }
        : undefined,
    );
    // The text of such an element is decoded and never becomes an element. Both get one name: `&copy;`. Where only its
    // beginning is one, as in `&notit;`, the browser leaves the semicolon.
    build.onLoad({ filter: /^entities$/, namespace: 'browser' }, () => ({
      contents: `const element = /* @__PURE__ */ document.createElement('textarea');
        export function decodeHTML(text) {
          element.innerHTML = text;
          return element.textContent;
        }
        export function decodeHTMLStrict(text) {
          const decoded = decodeHTML(text);
          return decoded.endsWith(';') && text !== '&semi;' ? text : decoded;
        }`,
    }));
  },
};

/** A launcher has no notices of its own beside it, and a package would make each start slower. */
const onlyOwnCode = {
  name: 'only-own-code',
  setup(build) {
    build.onEnd(({ metafile }) => {
      const packages = Object.keys(metafile?.inputs ?? {}).filter((file) => file.includes('node_modules'));
      return { errors: packages.map((file) => ({ text: `What starts at once must not load ${file}.` })) };
    });
  },
};

/**
 * The agent is loaded before any part of it that it loads later. So each such part says that it needs the agent, and esbuild
 * leaves what both use in the agent's file instead of writing a file for each set of parts that share something.
 */
function shareEntry(entry) {
  const main = path.resolve(entry);
  return {
    name: 'share-entry',
    setup(build) {
      build.onResolve({ filter: /^\./ }, async ({ path: name, kind, resolveDir, importer, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === shareEntry) return undefined;
        const found = await build.resolve(name, { kind, resolveDir, importer, pluginData: shareEntry });
        return found.errors.length === 0 && !found.external ? { path: found.path, namespace: 'part' } : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'part' }, ({ path: file }) => ({
        contents: `import ${JSON.stringify(main)}; export * from ${JSON.stringify(file)};`,
        resolveDir: path.dirname(file),
      }));
    },
  };
}

/**
 * What parts share with the entry is in a file of its own, which the entry only imports. This file becomes the entry, so that a page
 * asks for one file instead of one after the other.
 */
const joinEntry = {
  name: 'join-entry',
  setup(build) {
    build.onEnd(({ errors, metafile }) => {
      if (errors.length > 0) return undefined;
      const { outputs } = metafile;
      const { outdir, entryPoints } = build.initialOptions;
      const entry = `${outdir}/${Object.keys(entryPoints)[0]}.js`;
      const [shared, ...others] = outputs[entry].imports.map(({ path: file }) => file);
      if (shared === undefined || others.length > 0) return { errors: [{ text: `${entry} is more than one import.` }] };
      for (const file of Object.keys(outputs).filter((name) => name.endsWith('.js') && name !== entry)) {
        const code = fs.readFileSync(file, 'utf8').replaceAll(path.basename(shared), path.basename(entry));
        fs.writeFileSync(file, code);
        for (const imported of outputs[file].imports) if (imported.path === shared) imported.path = entry;
      }
      for (const ending of ['', '.map']) if (outputs[shared + ending]) fs.renameSync(shared + ending, entry + ending);
      outputs[entry] = outputs[shared];
      delete outputs[shared];
      return undefined;
    });
  },
};

function nodeTarget(
  name,
  entry,
  outfile,
  { external = [], hasGrammars = false, isCompressed = false, more = {} } = {},
) {
  return {
    name,
    options: {
      ...common,
      entryPoints: { [outfile]: entry, ...more },
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
        leaveOutOtherServices,
        leaveOutNodeFetch,
        leaveOutZod3Schemas,
        shareRequire,
        loadArgumentsAtOnce,
        shareEntry(entry),
        writeAsCommonJs(name, { isCompressed }),
        ...(hasGrammars ? [addGrammars(name)] : []),
        thirdPartyNotices(`dist/${name}`, { copied: hasGrammars ? ['@vscode/tree-sitter-wasm'] : [] }),
        report(),
      ],
    },
  };
}

/** The npm package of the SDK: code to read, with source maps, as ES modules and as CommonJS. */
function sdkTarget() {
  return {
    name: 'sdk',
    options: {
      ...common,
      minify: false,
      // Node reads 6 % less at each start. Names and lines stay.
      minifySyntax: true,
      sourcemap: 'linked',
      entryPoints: Object.fromEntries(sdkEntries.map(({ name, source }) => [name, source])),
      outdir: 'dist/sdk/esm',
      platform: 'node',
      target: 'node20',
      format: 'esm',
      splitting: true,
      write: false,
      // Its dependency, which the first request loads.
      external: ['openai'],
      chunkNames: '[name]-[hash]',
      mainFields: ['module', 'main'],
      plugins: [
        leaveOutAjv,
        leaveOutZod3,
        importBuiltins,
        leaveOutComments,
        shareMainEntry,
        writeBothFormats('sdk'),
        thirdPartyNotices('dist/sdk'),
        report(),
      ],
    },
  };
}

/** The one file that a start loads. It loads the files of a `nodeTarget` itself (src/util/codeCache.ts). */
function launcherTarget(name, entry) {
  return {
    name,
    options: {
      ...common,
      entryPoints: { [name]: entry },
      outdir: `dist/${name}`,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      write: false,
      external: ['vscode'],
      plugins: [writeAsCommonJs(name), onlyOwnCode, report()],
    },
  };
}

/** Started in a thread (src/workspace/node/edits/workerPlanner.ts) or process (src/localModel/run/keeperClient.ts) of its own. */
const workers = {
  editWorker: 'src/workspace/node/edits/editWorker.ts',
  keeperProcess: 'src/localModel/run/keeperProcess.ts',
};

const shrinkModules = {
  name: 'shrink-modules',
  setup(build) {
    build.onEnd(async ({ errors, metafile }) => {
      if (errors.length === 0) await shrinkScripts(metafile, { isModule: true });
    });
  },
};

const targets = [
  launcherTarget('extension', 'src/extension.ts'),
  launcherTarget('cli', 'src/cli.ts'),
  nodeTarget('extension', 'src/host/agentHost.ts', 'agentHost', {
    external: ['vscode'],
    hasGrammars: true,
    isCompressed: isProduction,
    more: workers,
  }),
  nodeTarget('cli', 'src/cli/program.ts', 'program', { hasGrammars: true, more: workers }),
  sdkTarget(),
  bridgeTarget('extension', { platform: 'node', target: 'node20' }),
  bridgeTarget('webExtension', { platform: 'browser', target: 'es2022' }),
  {
    name: 'webview',
    options: {
      ...common,
      entryPoints: { main: 'src/webview/page.ts' },
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
      // The built file of the package has formulas of chemistry, too, with 40 kB.
      alias: { temml: 'temml/temml.js' },
      plugins: [
        cleanOutput('webview'),
        shareEntry('src/webview/main.tsx'),
        decodeInBrowser,
        codicons('src/webview/controls/icons.ts'),
        joinEntry,
        thirdPartyNotices('dist/webview', { apacheIn: '../extension/third-party-notices.txt' }),
        ...(isProduction ? [shrinkModules] : []),
        report('webview'),
      ],
    },
  },
];

/** The second extension, which runs on the laptop (src/bridge). `dist/bridge` is the whole extension. */
function bridgeTarget(name, { platform, target }) {
  return {
    name: 'bridge',
    options: {
      ...common,
      entryPoints: { [name]: `src/bridge/${name}.ts` },
      outdir: 'dist/bridge/dist',
      platform,
      target,
      format: 'cjs',
      external: ['vscode'],
      mainFields: ['module', 'main'],
      plugins: [copyBridgeFiles(), thirdPartyNotices('dist/bridge'), report()],
    },
  };
}

/** The files of the second extension that are not built. */
function copyBridgeFiles() {
  return {
    name: 'copy-bridge-files',
    setup(build) {
      build.onStart(() => {
        fs.mkdirSync('dist/bridge', { recursive: true });
        fs.cpSync('src/bridge/l10n', 'dist/bridge/l10n', { recursive: true });
        const names = ['package.json', 'package.nls.json', 'package.nls.de.json', 'README.md', '.vscodeignore'];
        const own = names.map((name) => `src/bridge/${name}`);
        const files = [...own, 'LICENSE', 'media/icon.png'];
        for (const file of files) fs.copyFileSync(file, path.join('dist/bridge', path.basename(file)));
      });
    },
  };
}

/** Writes the ES-module chunks of a build as CommonJS; replaces the output folder's JavaScript. */
function writeAsCommonJs(name, { isCompressed = false } = {}) {
  return {
    name: 'write-as-commonjs',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0 || !result.outputFiles) return;
        const directory = path.resolve(`dist/${name}`);
        if (build.initialOptions.splitting) removeScripts(directory, `${name}.js`);
        await writeCommonJs(result.outputFiles, directory, build.initialOptions);
        if (!isCompressed) return;
        await shrinkScripts(result.metafile, { isModule: false });
        compressLarge(result.metafile.outputs, build.initialOptions);
      });
    },
  };
}

/** Writes the ES-module chunks of the SDK as they are, and as CommonJS beside them. */
function writeBothFormats(name) {
  return {
    name: 'write-both-formats',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0 || !result.outputFiles) return;
        const [modules, commonJs] = ['esm', 'cjs'].map((format) => path.resolve(`dist/${name}/${format}`));
        for (const directory of [modules, commonJs]) fs.rmSync(directory, { recursive: true, force: true });
        fs.mkdirSync(modules, { recursive: true });
        for (const file of result.outputFiles) fs.writeFileSync(file.path, file.contents);
        await writeCommonJs(result.outputFiles, commonJs, build.initialOptions);
      });
    },
  };
}

async function writeCommonJs(files, directory, { minify, sourcemap }) {
  fs.mkdirSync(directory, { recursive: true });
  const maps = new Map(files.filter((file) => file.path.endsWith('.map')).map((file) => [file.path, file]));
  for (const file of files) {
    if (file.path.endsWith('.map')) continue;
    const map = maps.get(`${file.path}.map`);
    const text = requireWhole(file.text);
    const { code, map: finalMap } = await esbuild.transform(map ? withInlineMap(text, map.text) : text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      // `require` in a promise: Node's `import()` of CommonJS parses each file a second time, for its exports.
      supported: { 'dynamic-import': false },
      minify,
      sourcemap: sourcemap ? 'external' : false,
      sourcefile: path.basename(file.path),
    });
    const target = path.join(directory, path.basename(file.path));
    const link = finalMap ? `//# sourceMappingURL=${path.basename(target)}.map\n` : '';
    fs.writeFileSync(target, code + link);
    if (finalMap) fs.writeFileSync(`${target}.map`, finalMap);
  }
}

/**
 * Brotli packs a sixth better than the zip of a VSIX. src/util/codeCache.ts unpacks: the largest file takes 3 ms. What a worker
 * loads stays as it is, because Node loads it.
 */
function compressLarge(outputs, { outdir, entryPoints }) {
  const [, ...workerNames] = Object.keys(entryPoints);
  const ofWorkers = new Set(workerNames.flatMap((name) => [...closure(outputs, `${outdir}/${name}.js`)]));
  for (const file of Object.keys(outputs)) {
    if (!file.endsWith('.js') || ofWorkers.has(file)) continue;
    const code = fs.readFileSync(file);
    if (code.length < 4_000) continue;
    fs.writeFileSync(
      `${file}.br`,
      brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: code.length } }),
    );
    fs.rmSync(file);
  }
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

/**
 * One object for all files of a chunk. An import would make an object with the names of the module for each file: VS Code's
 * API has 500. They come first, as imports do.
 */
function requireWhole(code) {
  const whole = /(?<=^|[;}\n])import\s*(?:\*\s*as )?\b([\w$]+) from\s*"(node:[\w/]+|vscode)";/g;
  const first = new Map();
  let required = '';
  const rest = code.replaceAll(whole, (statement, name, module) => {
    required += `const ${name} = ${first.get(module) ?? `require("${module}")`};`;
    if (!first.has(module)) first.set(module, name);
    return '';
  });
  const [shebang] = /^#!.*\n|^/.exec(rest);
  return shebang + required + rest.slice(shebang.length);
}

function withInlineMap(code, map) {
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;
  return code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n') + inline;
}

function cleanOutput(name) {
  return { name: 'clean-output', setup: (build) => build.onStart(() => removeScripts(path.resolve(`dist/${name}`))) };
}

/** Stale chunks would end up in the package. Declarations under `types/` stay, and so does the launcher, a build of its own. */
function removeScripts(directory, launcher) {
  if (!fs.existsSync(directory)) return;
  for (const file of fs.readdirSync(directory)) {
    if (launcher !== undefined && file.startsWith(launcher)) continue;
    if (/\.(js|css|ttf|map|wasm|br)$/.test(file)) fs.rmSync(path.join(directory, file));
  }
}

/** Prints what an entry loads with itself and what on first use. An activation over budget fails the build. */
function report() {
  return {
    name: 'report',
    setup(build) {
      build.onEnd((result) => {
        for (const message of result.errors) console.error(formatMessage('error', message));
        for (const message of result.warnings) console.warn(formatMessage('warning', message));
        if (result.errors.length > 0 || !result.metafile) return;
        const outputs = result.metafile.outputs;
        const { outdir, entryPoints } = build.initialOptions;
        const entry = `${outdir}/${Object.keys(entryPoints)[0]}.js`;
        const together = closure(outputs, entry, ['import-statement']);
        const sizes = new Map(
          Object.keys(outputs).map((file) => [file, fs.existsSync(file) ? fs.statSync(file).size : 0]),
        );
        const bytes = [...together].reduce((total, file) => total + sizes.get(file), 0);
        const lazy = [...sizes]
          .filter(([file]) => !together.has(file) && file.endsWith('.js'))
          .sort((a, b) => b[1] - a[1]);
        console.log(`${entry}: ${kilobytes(bytes)} loaded together, ${kilobytes(sum(lazy))} on first use`);
        for (const [file, size] of lazy.filter(([, length]) => length > 1000).slice(0, 8)) {
          console.log(`  ${kilobytes(size).padStart(9)}  ${path.basename(file)}`);
        }
        if (entry === 'dist/extension/extension.js' && isProduction && bytes > activationBudgetBytes) {
          console.error(`Activation loads ${kilobytes(bytes)}, more than ${kilobytes(activationBudgetBytes)}`);
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

/** The output files that loading `entry` loads too, and with `kinds` those that it may load later. */
function closure(outputs, entry, kinds = ['import-statement', 'dynamic-import']) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file) || !outputs[file]) return;
    seen.add(file);
    for (const imported of outputs[file].imports) if (kinds.includes(imported.kind)) visit(imported.path);
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
