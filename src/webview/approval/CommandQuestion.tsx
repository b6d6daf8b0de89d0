import type { CommandApproval } from '../../agent/view/approvalSummary';
import { Icon } from '../controls/Icon';
import { markedParts } from './markedParts';
import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';
import { FolderName } from './FolderName';

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
        <div class="danger-band" role="note" aria-label="Danger">
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
        aria-label="Command"
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
      {isLong && <EndOfLong text={command} subject="The command is" ending="It ends" />}
      <p class="muted approval-reason">
        In <FolderName displayPath={displayPath} />.
        {programs !== undefined && (
          <>
            {' '}
            Runs{' '}
            {[...new Set(programs)].map((program, index) => (
              <>
                {index > 0 && ', '}
                <VisibleText text={program} kind="path" />
              </>
            ))}
            .
          </>
        )}
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
