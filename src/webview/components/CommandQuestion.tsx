import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import { VisibleText } from './VisibleText';

/** A command that is longer scrolls in a box of its own, with its end shown apart. */
const maxPlainCharacters = 2_000;
const maxPlainLines = 25;
const tailCharacters = 120;

/** The command a person decides about: all of it, where it runs and what it starts. */
export function CommandQuestion({ command, displayPath, programs }: ApprovalSummary & { readonly command: string }) {
  const isTop = displayPath === '' || displayPath === '.';
  const lines = command.split('\n').length;
  const isLong = command.length > maxPlainCharacters || lines > maxPlainLines;
  return (
    <>
      <pre
        class={isLong ? 'command is-long' : 'command'}
        aria-label="Command"
        {...(isLong && { tabIndex: 0, role: 'region' })}
      >
        <VisibleText text={command} kind="command" />
      </pre>
      {isLong && (
        <p class="approval-warning">
          The command is long: {command.length} characters, {lines === 1 ? 'one line' : `${lines} lines`}. It ends with:{' '}
          <code>
            <VisibleText text={command.slice(-tailCharacters)} kind="path" />
          </code>
        </p>
      )}
      <p class="muted approval-reason">
        In {isTop ? 'the workspace folder' : <VisibleText text={displayPath} kind="path" />}.
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
