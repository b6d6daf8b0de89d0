import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';

/** The absolute path of a file or folder in `test/fixtures`. */
export function fixturePath(...segments: string[]): string {
  return path.join(projectRoot, 'test', 'fixtures', ...segments);
}
