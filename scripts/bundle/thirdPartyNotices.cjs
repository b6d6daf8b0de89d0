// An esbuild plugin that writes the licences of the packages in a build beside it, as those licences ask.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const fileName = 'third-party-notices.txt';

/** Licences that allow code in a bundle of this project. */
const accepted = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'CC-BY-4.0',
  'BlueOak-1.0.0',
]);

/** What stands in the place of a long text that its licence allows to name by its address. The licence asks to tell what was changed. */
const byAddress = {
  'CC-BY-4.0': ({ author, repository }) =>
    [
      `By ${author.name}: ${repository.url.replace(/^git\+/, '')}`,
      'Changed: the font holds only the icons that the panel draws.',
      'Creative Commons Attribution 4.0 International, with its disclaimer of warranties:',
      'https://creativecommons.org/licenses/by/4.0/legalcode',
    ].join('\n'),
};

/** The text of the Apache License, without the lines that name the owner of the code. */
const apacheTerms = /Apache License\s+Version 2\.0[^]*END OF TERMS AND CONDITIONS/;

/**
 * `directory` is the output folder of the build. `copied` names packages with copied files that esbuild has not read. What is
 * shipped together needs the long terms of the Apache License once: `apacheIn` is the file that has them, beside this one.
 * The build fails if a package has no accepted licence or no licence text.
 */
function thirdPartyNotices(directory, { copied = [], apacheIn } = {}) {
  return {
    name: 'third-party-notices',
    setup(build) {
      build.onEnd((result) => {
        if (result.errors.length > 0 || !result.metafile) return undefined;
        const folders = new Set(copied.map((name) => path.join('node_modules', name)));
        for (const output of Object.values(result.metafile.outputs)) {
          for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
            const folder = bytesInOutput > 0 ? packageFolder(file) : undefined;
            if (folder) folders.add(folder);
          }
        }
        const packages = [...folders].map(readPackage).sort((a, b) => a.name.localeCompare(b.name, 'en'));
        fs.mkdirSync(directory, { recursive: true });
        fs.writeFileSync(path.join(directory, fileName), noticesText(packages, apacheIn));
        const problems = packages.filter(({ text, isAccepted }) => !isAccepted || text === undefined);
        return { errors: problems.map(problemOf) };
      });
    },
  };
}

/** `node_modules/a/node_modules/@b/c/x.js` → `node_modules/a/node_modules/@b/c`. */
function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function readPackage(folder) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license, homepage } = manifest;
  const file = fs.readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry));
  const text = byAddress[license]?.(manifest) ?? (file && fs.readFileSync(path.join(folder, file), 'utf8').trim());
  const alternatives = String(license ?? '').split(/\(|\)| OR /);
  return { name, version, license, homepage, text, isAccepted: alternatives.some((id) => accepted.has(id.trim())) };
}

function problemOf({ name, license, isAccepted }) {
  const what = isAccepted ? 'has no file with the text of its licence' : `has the licence "${license}"`;
  return {
    text: `The package "${name}" ${what}: leave it out of the bundle, or see to it in scripts/bundle/thirdPartyNotices.cjs.`,
  };
}

function noticesText(packages, apacheIn) {
  const line = '-'.repeat(80);
  const parts = packages.map(({ name, version, license, homepage, text = '' }) => {
    const terms = apacheIn
      ? text.replace(apacheTerms, `Apache License, Version 2.0: its terms are in ${apacheIn}`)
      : text;
    return [line, `${name} ${version} (${license})`, ...(homepage ? [homepage] : []), '', terms].join('\n');
  });
  return ['This folder holds code of these packages, under their licences:', '', ...parts, ''].join('\n');
}

module.exports = { thirdPartyNotices };
