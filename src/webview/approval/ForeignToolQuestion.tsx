import type { ComponentChildren } from 'preact';
import * as l10n from '../../util/l10n';
import { EndOfLong, isLongText } from '../controls/EndOfLong';
import { VisibleText } from '../controls/VisibleText';

interface ForeignToolProperties {
  readonly of: 'server' | 'extension' | 'editor';
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
        {questionText(of, <VisibleText text={tool} kind="path" />, <VisibleText text={provider} kind="path" />)}
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

function questionText(
  of: ForeignToolProperties['of'],
  tool: ComponentChildren,
  provider: ComponentChildren,
): ComponentChildren {
  switch (of) {
    case 'server':
      return l10n.parts('Run {0} of the MCP server {1} with:', tool, provider);
    case 'extension':
      return l10n.parts('Run {0} of the extension {1} with:', tool, provider);
    case 'editor':
      return l10n.parts('Run {0} of {1} with:', tool, provider);
  }
}
