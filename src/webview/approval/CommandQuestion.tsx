import * as l10n from '../../util/l10n';
import type { CommandApproval } from '../../agent/view/approvalSummary';
import { Icon } from '../controls/Icon';
import { markedParts } from './markedParts';
import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';
import { isWorkspaceFolder } from './workspaceFolder';

/** A command that asks: its whole text, its folder and the programs it starts. */
export function CommandQuestion({
  command,
  displayPath,
  programs,
  unknownPrograms = [],
  dangers = [],
}: CommandApproval) {
  const isLong = isLongText(command);
  return (
    <>
      {dangers.length > 0 && (
        <div class="danger-band" role="note" aria-label={l10n.t('Danger')}>
          <Icon name="warning" />
          <div>
            {dangers.map(({ text }) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </div>
      )}
      <pre
        class={isLong ? 'code-box command is-long' : 'code-box command'}
        aria-label={l10n.t('Command')}
        {...(isLong && { tabIndex: 0, role: 'region' })}
      >
        {markedParts(
          command,
          dangers.flatMap(({ words }) => words),
        ).map(({ text, isMarked }, index) =>
          isMarked ? (
            <mark key={index} class="danger-word">
              <VisibleText text={text} kind="command" />
            </mark>
          ) : (
            <VisibleText key={index} text={text} kind="command" />
          ),
        )}
      </pre>
      {isLong && <EndOfLong text={command} subject="command" />}
      <p class="muted approval-reason">
        {isWorkspaceFolder(displayPath)
          ? l10n.t('In the workspace folder.')
          : l10n.parts('In {0}.', <VisibleText text={displayPath} kind="path" />)}
        {programs !== undefined && <> {l10n.parts('Runs {0}.', <Programs names={programs} />)}</>}
        {[...new Set(unknownPrograms)].map((unknown) => (
          <>
            {' '}
            <VisibleText text={unknown} kind="path" />
          </>
        ))}
      </p>
    </>
  );
}

function Programs({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {[...new Set(names)].map((program, index) => (
        <>
          {index > 0 && ', '}
          <VisibleText text={program} kind="path" />
        </>
      ))}
    </>
  );
}
