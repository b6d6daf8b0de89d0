import type { Workbench } from './workbench';

/** After each failed test of the surrounding `describe`, keeps a picture of the window, if one is open. */
export function keepFailureScreenshots(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    const { currentTest: test } = this;
    if (test?.state !== 'failed') return;
    await workbench()?.screenshot(`failed-${test.fullTitle().replaceAll(/\W+/g, '-')}`);
  });
}
