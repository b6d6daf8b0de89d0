import { version } from '../../../package.json';
import { usage } from './usage';

/** The outputs of `--help` and `--version`. */
export const printed = { help: usage, version: `open-agent ${version}\n` } as const;
