import { createProjectRules, type ProjectRules } from '../../../src/agent/context/projectRules';
import { MemoryFileSystem } from '../files/memoryFileSystem';

/** The rules of a trusted project with these files, by absolute path below `/w`. */
export function rulesOf(
  files: Readonly<Record<string, string>>,
  leftOut: () => readonly string[] = () => [],
): ProjectRules {
  const fileSystem = new MemoryFileSystem({ '/w/x': '', ...files });
  return createProjectRules({ fileSystem, roots: () => [{ name: 'w', path: '/w' }], isTrusted: () => true, leftOut });
}
