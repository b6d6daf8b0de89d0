import * as l10n from '../../util/l10n';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ToolItem } from '../../agent/view/sessionView';
import { formatSeconds } from '../../agent/view/duration';
import { terminalOutput } from '../format/terminalOutput';
import { commandOutput, lineCounts, toolLook, toolSummary } from '../format/toolState';
import { titleParts, titleText, toolFile, toolLine, toolTitle } from '../format/toolTitle';
import { useNow } from '../state/useNow';
import { useSelected, useStore } from '../state/usePanel';
import { ApprovalForm } from '../approval/ApprovalForm';
import { Button } from '../controls/Button';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { useKeptSwitch } from './rows/keptState';

const maxTitleCharacters = 160;

interface ToolProperties {
  readonly item: ToolItem;
  readonly sessionId: string;
  readonly isAnswered: boolean;
  /** Its approval request shows only a link to open it. */
  readonly isFolded: boolean;
  readonly clockOffsetMs: number;
}

/** One tool use: title, state, approval request, arguments and output. */
export function ToolCard({ item, sessionId, isAnswered, isFolded, clockOffsetMs }: ToolProperties) {
  const store = useStore();
  const [isOpen, setIsOpen] = useKeptSwitch(`tool ${item.id}`);
  const [isUnfolded, setIsUnfolded] = useKeptSwitch(`question ${item.id}`);
  const head = useRef<HTMLButtonElement>(null);
  const id = useId();
  const title = toolTitle(item);
  const background = useSelected(({ panel }) => panel?.commands.map(({ id: command }) => command).join());
  const look = toolLook(item, background);
  const summary = toolSummary(item);
  const file = toolFile(item);
  const line = toolLine(item);
  const output = item.state === 'running' ? item.liveOutput : commandOutput(item);
  const isHidden = isFolded && !isUnfolded;
  const isAsking = item.state === 'awaiting_approval' && item.approval !== undefined;
  return (
    <section class={`tool tool-${item.state}`} role="group" aria-label={titleText(title)} data-tool-use={item.id}>
      <div class="tool-row">
        <button
          type="button"
          class="tool-head"
          ref={head}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <Icon name={title.icon} />
          <span class="tool-title">
            {titleParts(
              title.verb,
              <span class="tool-target">
                {/* The approval request below shows the whole command. */}
                {!(isAsking && !isHidden && item.approval?.kind === 'command') && (
                  <VisibleText
                    text={firstLine(title.target)}
                    kind={title.targetKind}
                    maxCharacters={maxTitleCharacters}
                  />
                )}
              </span>,
            )}
            {title.detail !== undefined && (
              <span class="muted">
                {' '}
                <VisibleText text={title.detail} kind="path" />
              </span>
            )}
            <LineCounts item={item} />
            <span class="visually-hidden">, {look.label}</span>
          </span>
        </button>
        {item.state === 'running' && <Elapsed startedMs={item.startedMs} clockOffsetMs={clockOffsetMs} />}
        {file !== undefined && item.state !== 'running' && (
          <IconButton
            icon="go-to-file"
            label={l10n.t('Open File')}
            className="open-file"
            onClick={() => store.post({ type: 'openFile', path: file, ...(line !== undefined && { line }) })}
          />
        )}
        {item.state === 'running' && (
          <IconButton
            icon="debug-stop"
            label={l10n.t(
              'Stop: {0}',
              titleText({ ...title, target: firstLine(title.target).slice(0, maxTitleCharacters) }),
            )}
            onClick={() => store.post({ type: 'stopTool', sessionId, toolUseId: item.id })}
          />
        )}
        <span class="tool-state" title={look.label}>
          <Icon name={look.icon} isSpinning={look.isSpinning ?? false} />
        </span>
      </div>
      {summary !== undefined && (
        <p class="tool-summary">
          <VisibleText text={summary} kind="code" />
        </p>
      )}
      {isAsking && isHidden && (
        <p class="approval-folded">
          <Button label={l10n.t('Show Question')} kind="link" onClick={() => setIsUnfolded(true)} />
        </p>
      )}
      {isAsking && item.approval !== undefined && !isHidden && (
        <ApprovalForm
          key={item.approval.requestId}
          approval={item.approval}
          sessionId={sessionId}
          isAnswered={isAnswered}
          onAnswered={() => head.current?.focus()}
        />
      )}
      {output !== undefined && output !== '' && !isOpen && <NewestOutput text={output} />}
      <div id={id} class="tool-details" hidden={!isOpen}>
        {isOpen && <ToolDetails item={item} />}
      </div>
    </section>
  );
}

function LineCounts({ item }: { readonly item: ToolItem }) {
  const counts = lineCounts(item);
  if (counts === undefined) return null;
  return (
    <span class="line-counts">
      {' '}
      <span class="lines-added" aria-label={l10n.t('{0} lines added', counts.added)}>
        +{counts.added}
      </span>{' '}
      <span class="lines-removed" aria-label={l10n.t('{0} lines removed', counts.removed)}>
        −{counts.removed}
      </span>
    </span>
  );
}

function Elapsed({
  startedMs,
  clockOffsetMs,
}: {
  readonly startedMs: number | undefined;
  readonly clockOffsetMs: number;
}) {
  const now = useNow(startedMs !== undefined);
  const elapsedMs = startedMs === undefined ? 0 : now - clockOffsetMs - startedMs;
  return elapsedMs < 1000 ? null : <span class="muted elapsed">{formatSeconds(elapsedMs)}</span>;
}

/** A command's output, scrolled to its end. */
function NewestOutput({ text }: { readonly text: string }) {
  const element = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (element.current !== null) element.current.scrollTop = element.current.scrollHeight;
  }, [text]);
  return (
    <pre class="code-box output live" ref={element} tabIndex={0} role="group" aria-label={l10n.t('Output')}>
      <VisibleText text={terminalOutput(text)} kind="code" />
    </pre>
  );
}

function ToolDetails({ item }: { readonly item: ToolItem }) {
  const output = item.result ?? item.liveOutput;
  return (
    <>
      <h3>{l10n.t('Arguments')}</h3>
      <pre class="code-box output" tabIndex={0} role="group" aria-label={l10n.t('Arguments')}>
        <VisibleText text={argumentsOf(item)} kind="code" />
      </pre>
      {output !== '' && (
        <>
          <h3>{item.result === undefined ? l10n.t('Output so far') : l10n.t('Result')}</h3>
          <pre class="code-box output" tabIndex={0} role="group" aria-label={l10n.t('Result')}>
            <VisibleText text={terminalOutput(output)} kind="code" />
          </pre>
        </>
      )}
    </>
  );
}

function argumentsOf(item: ToolItem): string {
  if (item.input === undefined) return item.argumentsText;
  const lines = Object.entries(item.input).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`,
  );
  return lines.length === 0 ? l10n.t('none') : lines.join('\n');
}

/** Titles are short. The request and the arguments show the whole command. */
function firstLine(text: string): string {
  const [first = ''] = text.split('\n');
  return first.length < text.trimEnd().length ? `${first}…` : first;
}
