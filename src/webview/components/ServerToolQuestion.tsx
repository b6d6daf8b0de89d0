import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import { VisibleText } from './VisibleText';

const maxPlainLines = 25;
const maxPlainCharacters = 2_000;

interface ServerToolProperties extends NonNullable<ApprovalSummary['serverTool']> {
  /** What `server` is the name of. */
  readonly of?: string;
}

/** The call of somebody else's tool that a person decides about, with all its arguments as they will be sent. */
export function ServerToolQuestion({ server, tool, arguments: text, of = 'the MCP server' }: ServerToolProperties) {
  const isLong = text.length > maxPlainCharacters || text.split('\n').length > maxPlainLines;
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
    </>
  );
}
