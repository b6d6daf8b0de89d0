import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import { VisibleText } from './VisibleText';

const maxPlainLines = 25;
const maxPlainCharacters = 2_000;

/** The call of a server's tool that a person decides about, with all its arguments as they will be sent. */
export function ServerToolQuestion({ server, tool, arguments: text }: NonNullable<ApprovalSummary['serverTool']>) {
  const isLong = text.length > maxPlainCharacters || text.split('\n').length > maxPlainLines;
  return (
    <>
      <p class="approval-reason">
        <VisibleText text={tool} kind="path" /> of the MCP server <VisibleText text={server} kind="path" /> with
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
