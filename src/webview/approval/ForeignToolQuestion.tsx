import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';

interface ForeignToolProperties {
  /** The kind of provider: `the MCP server`, `the extension`, or empty if its name says enough. */
  readonly of: string;
  readonly provider: string;
  readonly tool: string;
  /** All arguments, as JSON over several lines. */
  readonly argumentsText: string;
}

/** A call of an MCP server's or an extension's tool, with all arguments exactly as they will be sent. */
export function ForeignToolQuestion({ of, provider, tool, argumentsText: text }: ForeignToolProperties) {
  const isLong = isLongText(text);
  return (
    <>
      <p class="approval-reason">
        Run <VisibleText text={tool} kind="path" /> of {of} <VisibleText text={provider} kind="path" /> with:
      </p>
      <pre
        class={isLong ? 'code-box command is-long' : 'code-box command'}
        aria-label="Arguments"
        {...(isLong && { tabIndex: 0, role: 'region' })}
      >
        <VisibleText text={text} kind="code" />
      </pre>
      {isLong && <EndOfLong text={text} subject="The arguments are" ending="They end" />}
    </>
  );
}
