// Prints what is wrong with the types of a packed npm package: a JSON list, empty if nothing is. Takes the path of the
// tarball. A program of its own, because the checker loads only as an ES module.
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';

const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(process.argv[2]))));
console.log(JSON.stringify(result.types ? result.problems : ['There are no types.']));
