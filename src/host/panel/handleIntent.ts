import type { AllowMore } from '../../agent/approval/approver';
import type { Prompt } from '../../agent/session/prompt';
import type { FromWebview } from '../../protocol/messages';
import { assertNever } from '../../util/assertNever';
import type { McpItems } from '../../mcp/mcpServers';
import type { PanelControllerParts } from './panelParts';
import { submitTyped, type GivenBack } from './submitTyped';

/** What only the panel itself can do. */
export interface IntentPanel {
  ready(): Promise<void>;
  sendSnapshot(): void;
  submitTyped(prompt: Prompt, sessionId: string | undefined): Promise<void>;
  giveBack(typed: string, back: GivenBack): Promise<void>;
  showServerItems(items: McpItems): void;
  showFiles(typed: string, names: readonly string[]): void;
  saveDraft(text: string): Promise<void>;
  newSession(): Promise<void>;
  showSession(sessionId: string): Promise<void>;
  searchSessions(query: string): Promise<void>;
  forkSession(sessionId: string, beforeId?: string): Promise<void>;
  takeOverSession(sessionId: string): Promise<void>;
  restoreTo(sessionId: string, promptId: string): Promise<void>;
  focusComposer(): void;
}

/** Does what the person asked for in the panel. */
export async function handleIntent(
  intent: FromWebview,
  panel: IntentPanel,
  parts: PanelControllerParts,
): Promise<void> {
  const { actions, agents, approver, doctor, registry, server, log } = parts;
  /** A second click, or one that crossed with a decision made elsewhere: the first counts, and there is no harm. */
  const expectOpen = (wasOpen: boolean, requestId: string): void => {
    if (!wasOpen) log.warn(`The question ${requestId} is not open any more; nothing was done.`);
  };
  switch (intent.type) {
    case 'ready':
      return panel.ready();
    case 'needSnapshot':
      return panel.sendSnapshot();
    case 'submitPrompt':
      return submitTyped(intent, panel, parts);
    case 'listServerItems':
      return panel.showServerItems(await parts.mcp.items());
    case 'findFiles':
      return panel.showFiles(intent.typed, await parts.mentions.findFiles(intent.typed));
    case 'saveDraft':
      return panel.saveDraft(intent.text);
    case 'stop':
      return (await registry.open(intent.sessionId)).stop();
    case 'stopTool':
      return (await registry.open(intent.sessionId)).stopTool(intent.toolUseId);
    case 'stopCommand':
      // Ended by itself meanwhile: that is what was wanted.
      await parts.background.stop(intent.id);
      return;
    case 'showCommandOutput':
      return actions.showCommandOutput(intent.id);
    case 'approve':
      return expectOpen(approver.approve(intent.requestId, intent.sessionId, allowedMore(intent)), intent.requestId);
    case 'deny':
      return expectOpen(approver.deny(intent.requestId, intent.reason, intent.sessionId), intent.requestId);
    case 'decideHunk': {
      const { requestId, sessionId, hunk, isKept } = intent;
      return expectOpen(await approver.decideHunk(requestId, { hunk, isKept, sessionId }), requestId);
    }
    case 'openDiff':
      return expectOpen(approver.showProposal(intent.requestId, intent.sessionId), intent.requestId);
    case 'reviewProposedEdits':
      if (!(await parts.reviewProposedEdits(intent.sessionId))) log.warn('No edit waits any more; nothing was shown.');
      return;
    case 'newSession':
      return panel.newSession();
    case 'openSession':
      return panel.showSession(intent.sessionId);
    case 'searchSessions':
      return panel.searchSessions(intent.query);
    case 'forkSession':
      return panel.forkSession(intent.sessionId, intent.beforeId);
    case 'takeOverSession':
      return panel.takeOverSession(intent.sessionId);
    case 'sessionAction':
      return actions.runSessionAction(intent.action, intent.sessionId);
    case 'retry':
      doctor.close();
      return (await registry.open(intent.sessionId)).retry();
    case 'continue':
      doctor.close();
      return (await registry.open(intent.sessionId)).continueRun();
    case 'dismissNotice':
      return (await registry.open(intent.sessionId)).dismissNotice(intent.noticeId);
    case 'restoreTo':
      return panel.restoreTo(intent.sessionId, intent.promptId);
    case 'undoRestore':
      await parts.restore.undo(await registry.open(intent.sessionId), intent.noticeId);
      // The button that had the focus is gone.
      return panel.focusComposer();
    case 'reviewEdits':
      if (await parts.reviewEdits()) {
        (await registry.open(intent.sessionId)).dismissNotice(intent.noticeId);
      }
      return;
    case 'selectModel':
      return server.selectModel(intent.model);
    case 'selectMode':
      return agents.chooseMode(intent.mode);
    case 'selectProfile':
      return agents.chooseProfile(intent.profile);
    case 'selectAgent':
      return agents.chooseAgent(intent.agent);
    case 'changeLoaded':
      return actions.changeLoaded(intent.model, intent.isLoaded);
    case 'forgetQuirks':
      return parts.forgetQuirks();
    case 'refreshServer':
      return server.refresh();
    case 'openFile':
      return actions.openFile(intent.path, intent.line);
    case 'startDoctor':
      return doctor.start();
    case 'stopDoctor':
      return doctor.stop();
    case 'closeDoctor':
      return doctor.close();
    case 'openSetting':
      return actions.openSetting(intent.setting);
    case 'openLink':
      return actions.openLink(intent.href, intent.text ?? '');
    case 'runCommand':
      return actions.runCommand(intent.command);
    default:
      return assertNever(intent);
  }
}

/** Only what was said: an intent's own fields go no further. */
function allowedMore({ remember, acceptsEdits }: FromWebview & { readonly type: 'approve' }): AllowMore {
  return { ...(remember && { remember }), ...(acceptsEdits && { acceptsEdits }) };
}
