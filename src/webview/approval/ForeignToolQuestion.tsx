import { sentence } from '../controls/sentence';
import * as l10n from '../../util/l10n';
import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';

interface ForeignToolProperties {
  /** A translated sentence: `{0}` stands for the tool, `{1}` for the provider. */
  readonly question: string;
  readonly provider: string;
  readonly tool: string;
  /** All arguments, as JSON over several lines. */
  readonly argumentsText: string;
}

/** A call of an MCP server's or an extension's tool, with all arguments exactly as they will be sent. */
export function ForeignToolQuestion({ question, provider, tool, argumentsText: text }: ForeignToolProperties) {
  const isLong = isLongText(text);
  return (
    <>
      <p class="approval-reason">
        {sentence(question, <VisibleText text={tool} kind="path" />, <VisibleText text={provider} kind="path" />)}
      </p>
      <pre
        class={isLong ? 'code-box command is-long' : 'code-box command'}
        aria-label={l10n.t('Arguments')}
        {...(isLong && { tabIndex: 0, role: 'region' })}
      >
        <VisibleText text={text} kind="code" />
      </pre>
      {isLong && <EndOfLong text={text} subject="arguments" />}
    </>
  );
}
