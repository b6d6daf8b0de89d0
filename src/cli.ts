#!/usr/bin/env node
import path from 'node:path';
import { version } from '../package.json';
import { dataFolderIn } from './cli/arguments/dataFolder';
import { findHomeDirectory } from './cli/arguments/homeDirectory';
import { parseFlags } from './cli/arguments/flags';
import { printed } from './cli/arguments/printed';
import { CodeCache } from './util/codeCache';

// The build puts the program beside this file (`esbuild.js`).
const program = path.join(__dirname, 'program.js');
const { kind } = parseFlags(process.argv.slice(2));
const home = findHomeDirectory();
if (kind === 'help' || kind === 'version') {
  // Loads none of the program. Whoever reads it may have gone (`open-agent --help | head`).
  process.stdout.on('error', () => {});
  process.stdout.write(printed[kind]);
} else if (home === '') {
  require(program);
} else {
  const cache = new CodeCache(dataFolderIn(home).codeCache, version);
  process.once('exit', () => cache.save());
  cache.load(program);
}
