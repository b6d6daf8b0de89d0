import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';

interface ServerToolProperties extends NonNullable<ApprovalSummary['serverTool']> {
  /** What `server` is the name of. */
  readonly of?: string;
}

/** The call of somebody else's tool that a person decides about, with all its arguments as they will be sent. */
export function ServerToolQuestion({ server, tool, arguments: text, of = 'the MCP server' }: ServerToolProperties) {
  const isLong = isLongText(text);
  return (
    <>
      <p class="approval-reason">
        <VisibleText text={tool} kind="path" /> of {of} <VisibleText text={server} kind="path" /> with
      </p>
      <pre
        class={isLong ? 'command is-long' : 'command'}
        aria-label="Arguments"
        {...(isLong && { tabIndex: 0, role: 'region' })}
      >
        <VisibleText text={text} kind="code" />
      </pre>
      {isLong && <EndOfLong text={text} subject="The arguments are" ending="They end" />}
    </>
  );
}
