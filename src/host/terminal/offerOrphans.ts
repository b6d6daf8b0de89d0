import * as l10n from '../../util/l10n';
import { visibleText } from '../../util/text/visibleText';
import type { OrphanedCommand, CommandRecords } from '../../workspace/node/commands/commandRecords';
import { notificationText } from '../notificationText';

const MAX_NAMED = 5;

/** Shows a warning with buttons. Resolves with the pressed one; `undefined`: closed. */
export type Warn = (message: string, ...buttons: readonly string[]) => PromiseLike<string | undefined>;

/**
 * Finds commands that a crashed window left running, and offers to end them. Without an answer it asks again next time.
 */
export async function offerOrphans(records: Pick<CommandRecords, 'findOrphans'>, warn: Warn): Promise<void> {
  const orphans = await records.findOrphans();
  if (orphans.length === 0) return;
  const end = l10n.t('End Them');
  const leave = l10n.t('Leave Them Running');
  const named = orphans.slice(0, MAX_NAMED).map(({ command }) => `"${shortOf(command)}"`);
  const answer = await warn(
    notificationText(
      orphans.length > MAX_NAMED
        ? l10n.t(
            'Commands that Open Agent started in a closed window still run: {0} and {1} more.',
            named.join(', '),
            orphans.length - MAX_NAMED,
          )
        : l10n.t('Commands that Open Agent started in a closed window still run: {0}.', named.join(', ')),
    ),
    end,
    leave,
  );
  if (answer === leave) for (const orphan of orphans) orphan.forget();
  if (answer === end) await endAll(orphans, warn);
}

async function endAll(orphans: readonly OrphanedCommand[], warn: Warn): Promise<void> {
  const surviving = (await Promise.all(orphans.map((orphan) => orphan.end()))).flat();
  if (surviving.length === 0) return;
  await warn(l10n.t('These processes could not be ended: {0}.', surviving.join(', ')));
}

function shortOf(command: string): string {
  const visible = visibleText(command.split('\n')[0] ?? '', 'command');
  return visible.length > 80 ? `${visible.slice(0, 80)}…` : visible;
}
