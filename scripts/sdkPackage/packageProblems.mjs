// Prints what is wrong with a packed npm package and its types, as publint and Are The Types Wrong see it: a JSON list, empty
// if nothing is. Takes the paths of the tarball and of the unpacked package. A program of its own, because the second
// checker loads only as an ES module.
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

const [tarball, pkgDir] = process.argv.slice(2);
const types = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
const { messages } = await publint({ pkgDir, strict: true });
console.log(JSON.stringify([...messages, ...(types.types ? types.problems : ['There are no types.'])]));
