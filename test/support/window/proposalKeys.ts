import type { Workbench } from './workbench';

/**
 * Presses a key of the proposal in the diff editor until `isDone`. A key is refused, with a hint, while the proposal has been
 * visible for less than half a second.
 */
export async function pressInProposal(
  workbench: Workbench,
  press: () => Promise<void>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const isEarly = async () => (await workbench.page.getByText('Press the key again to accept it').count()) > 0;
  await workbench.until('the key is answered', async () => {
    await press();
    await workbench.until('the key has arrived', async () => (await isDone()) || (await isEarly()));
    await workbench.until('the hint is gone', async () => (await isDone()) || !(await isEarly()));
    return isDone();
  });
}
