import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';
import { FolderName } from './FolderName';

interface AllowMoreProperties {
  readonly approval: ApprovalSummary;
  readonly isAnswered: boolean;
  readonly onAllow: (more: { remember: 'session' | 'workspace' } | { acceptsEdits: true }) => void;
}

const scopeLabels = { session: 'Always in This Session', workspace: 'Always in This Workspace' } as const;

/** The answers that last longer than this request. Renders nothing when none is offered. */
export function AllowMore({ approval, isAnswered, onAllow }: AllowMoreProperties) {
  const { remember } = approval;
  const offersAcceptEdits = approval.kind === 'edit' && approval.offersAcceptEdits === true;
  if (remember === undefined && !offersAcceptEdits) return null;
  return (
    <>
      <div class="button-row">
        {offersAcceptEdits && (
          <Button
            label="Accept All Edits of This Run"
            kind="secondary"
            isDisabled={isAnswered}
            onClick={() => onAllow({ acceptsEdits: true })}
          />
        )}
        {remember?.scopes.map((scope) => (
          <Button
            key={scope}
            label={scopeLabels[scope]}
            kind="secondary"
            isDisabled={isAnswered}
            onClick={() => onAllow({ remember: scope })}
          />
        ))}
      </div>
      {remember !== undefined && (
        <p class="muted approval-reason">
          {approval.kind === 'mcp'
            ? 'The server says that this tool only reads. “Always” allows it with any arguments:'
            : '“Always” allows exactly'}{' '}
          {remember.rules.map((rule, index) => (
            <>
              {index > 0 && ' and '}
              <code key={rule}>
                <VisibleText text={rule} kind="path" />
              </code>
            </>
          ))}
          {remember.folder !== undefined && (
            <>
              {' in '}
              <FolderName displayPath={remember.folder} />
            </>
          )}
          .
        </p>
      )}
    </>
  );
}
