import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';

/** The folder of engines and models for the live tests. Git ignores it. */
export const installFolder = path.join(projectRoot, '.test-servers');

/** A part that is there, or the reason why it is not. */
export type Installed<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly reason: string };

/** Says what happens, for people. */
export type Say = (text: string) => void;
