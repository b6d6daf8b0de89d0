import type { CommandApproval } from '../../agent/view/approvalSummary';
import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';
import { FolderName } from './FolderName';

/** A command that asks: its whole text, its folder and the programs it starts. */
export function CommandQuestion({ command, displayPath, programs }: CommandApproval) {
  const isLong = isLongText(command);
  return (
    <>
      <pre
        class={isLong ? 'code-box command is-long' : 'code-box command'}
        aria-label="Command"
        {...(isLong && { tabIndex: 0, role: 'region' })}
      >
        <VisibleText text={command} kind="command" />
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
      </p>
    </>
  );
}
