import { writeFailure } from '../../agent/view/notices/notices';

/** Says that the session of a run is not on file, and what to do. */
export function unsavedProblem(error: Error, directory: string): string {
  return `The session could not be saved in ${directory}: ${writeFailure(error)}. Make room or make the folder writable before the next run.`;
}
