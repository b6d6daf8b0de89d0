import type { AllowMore } from '../../agent/approval/approver';
import type { ImagePart } from '../../sdk/messages';
import type { Prompt } from '../../agent/session/prompt';
import type { WhenSubmitted } from '../../agent/view/sessionView';
import type { FromWebview } from '../../protocol/fromWebview';
import { assertNever } from '../../util/assertNever';
import type { Fact } from './panelChannel';
import type { PanelControllerParts } from './panelParts';
import { serverItemsOf } from './panelState';
import { resendEdited, submitTyped, type ReturnedPrompt } from './prompt/submitTyped';

/** The actions that only the panel itself can do. */
export interface IntentPanel {
  ready(): Promise<void>;
  sendSnapshot(): void;
  submitTyped(prompt: Prompt, sessionId: string | undefined, when?: WhenSubmitted): Promise<void>;
  withdrawPrompt(sessionId: string, promptId: string, isEdited: boolean): Promise<void>;
  returnPrompt(typed: string, returned: ReturnedPrompt): Promise<void>;
  post(fact: Fact): void;
  addText(text: string): Promise<void>;
  saveDraft(text: string): Promise<void>;
  attachedImages(hashes: readonly string[]): Promise<readonly ImagePart[]>;
  scaleImages(images: readonly ImagePart[]): Promise<readonly ImagePart[]>;
  imageScaled(id: string, image: string | undefined): void;
  attachImage(image: ImagePart): Promise<void>;
  detachImage(hash: string): Promise<void>;
  findImage(hash: string): Promise<void>;
  newSession(): Promise<void>;
  showSession(sessionId: string): Promise<void>;
  searchSessions(query: string): Promise<void>;
  forkSession(sessionId: string, beforeId?: string): Promise<void>;
  takeOverSession(sessionId: string): Promise<void>;
  restoreTo(sessionId: string, promptId: string): Promise<void>;
  focusComposer(): void;
}

/** Carries out an intent of the webview. */
export async function handleIntent(
  intent: FromWebview,
  panel: IntentPanel,
  parts: PanelControllerParts,
): Promise<void> {
  const { actions, agents, approver, doctor, registry, server, log } = parts;
  /** The first decision counts. A second click, or a decision made elsewhere meanwhile, is harmless. */
  const expectOpen = (wasOpen: boolean, requestId: string): void => {
    if (!wasOpen) log.warn(`The question ${requestId} is no longer open; nothing was done.`);
  };
  switch (intent.type) {
    case 'ready':
      return panel.ready();
    case 'needSnapshot':
      return panel.sendSnapshot();
    case 'focusChanged':
      // Files may have changed meanwhile.
      if (intent.isFocused) parts.context.lookAgain();
      return parts.surroundings.showFocused(intent.isFocused);
    case 'submitPrompt':
      return submitTyped(intent, panel, parts);
    case 'carryOutPlan':
      // Another mode was chosen by the person, so it stays.
      if (agents.current.configuration.permissionMode === 'plan') await agents.chooseMode('ask');
      return panel.submitTyped({ text: CARRY_OUT }, intent.sessionId);
    case 'sendWaiting':
      return (await registry.open(intent.sessionId)).sendWaiting(intent.promptId, intent.when);
    case 'withdrawPrompt':
      return panel.withdrawPrompt(intent.sessionId, intent.promptId, intent.isEdited);
    case 'listPrompts':
      return panel.post({ type: 'prompts_listed', prompts: await registry.earlierPrompts() });
    case 'listServerItems':
      return panel.post({ type: 'server_items', ...serverItemsOf(await parts.mcp.items()) });
    case 'listCommands':
      return panel.post({ type: 'commands_listed', commands: await parts.slashCommands.list() });
    case 'findFiles': {
      const open = parts.mentions.openFiles(intent.typed);
      const found = { type: 'files_found', typed: intent.typed, ...(open.length > 0 && { open }) } as const;
      let files = { ...found, names: [] as readonly string[] };
      for await (const { names, isPartial } of parts.mentions.findFiles(intent.typed)) {
        files = { ...found, names };
        panel.post({ ...files, ...(isPartial && { isPartial }) });
      }
      const others = await parts.mentions.findOthers(intent.typed);
      if (others.length > 0) panel.post({ ...files, others });
      return;
    }
    case 'followMentions':
      return parts.context.follow(intent.mentions);
    case 'switchInstruction':
      return parts.switchInstruction(intent.id, intent.isOn);
    case 'addUris': {
      const mentions = parts.nameDropped(intent.uris);
      return mentions.length > 0 ? panel.addText(mentions.join(' ')) : undefined;
    }
    case 'addPasted':
      return panel.addText(await parts.pasted.keep(intent.name, intent.text));
    case 'findPlaces': {
      const places = await parts.mentions.findPlaces(intent.names);
      panel.post({ type: 'places_found', places });
      const found = new Set(places.map(({ name }) => name));
      const symbols = await parts.mentions.findSymbols(intent.names.filter((name) => !found.has(name)));
      if (symbols.length > 0) panel.post({ type: 'places_found', places: symbols });
      return;
    }
    case 'useCode':
      return parts.codeBlocks.use(intent);
    case 'copyText':
      return actions.copyText(intent.text);
    case 'saveDraft':
      return panel.saveDraft(intent.text);
    case 'attachImage':
      return panel.attachImage({ type: 'image', image: intent.image, name: intent.name });
    case 'imageScaled':
      return panel.imageScaled(intent.id, intent.image);
    case 'detachImage':
      return panel.detachImage(intent.hash);
    case 'findImage':
      return panel.findImage(intent.hash);
    case 'stop':
      return (await registry.open(intent.sessionId)).stop();
    case 'stopTool':
      return (await registry.open(intent.sessionId)).stopTool(intent.toolUseId);
    case 'stopCommand':
      // The command may have ended by itself.
      await parts.background.stop(intent.id);
      return;
    case 'showCommandOutput':
      return actions.showCommandOutput(intent.id);
    case 'approve':
      return expectOpen(approver.approve(intent.requestId, intent.sessionId, allowedMore(intent)), intent.requestId);
    case 'deny':
      return expectOpen(approver.deny(intent.requestId, intent.reason, intent.sessionId), intent.requestId);
    case 'answerEdits':
      return void approver.answerEdits(intent.requestIds, intent);
    case 'decideHunk': {
      const { requestId, sessionId, hunk, isKept } = intent;
      return expectOpen(await approver.decideHunk(requestId, { hunk, isKept, sessionId }), requestId);
    }
    case 'openDiff':
      return expectOpen(approver.showProposal(intent.requestId, intent.sessionId), intent.requestId);
    case 'reviewProposedEdits':
      if (!(await parts.reviewProposedEdits(intent.sessionId))) log.warn('No edit is waiting; nothing was shown.');
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
    case 'regenerate': {
      doctor.close();
      const session = await registry.open(intent.sessionId);
      if (await parts.restore.goBack(session, intent.promptId)) await session.resend(intent.promptId);
      return panel.focusComposer();
    }
    case 'editPrompt':
      doctor.close();
      return resendEdited(intent, panel, parts);
    case 'dismissNotice':
      return (await registry.open(intent.sessionId)).dismissNotice(intent.noticeId);
    case 'restoreTo':
      return panel.restoreTo(intent.sessionId, intent.promptId);
    case 'undoRestore':
      await parts.restore.undo(await registry.open(intent.sessionId), intent.noticeId);
      // The focused button is gone.
      return panel.focusComposer();
    case 'reviewEdits':
      if (await parts.reviewEdits()) {
        (await registry.open(intent.sessionId)).dismissNotice(intent.noticeId);
      }
      return;
    case 'reviewRun': {
      const session = await registry.open(intent.sessionId);
      return parts.reviewRun(await parts.restore.changesSince(session, intent.promptId));
    }
    case 'undoRepair': {
      if (!(await parts.restore.undoRepair(await registry.open(intent.sessionId), intent.noticeId))) return;
      // The focused button is gone.
      return panel.focusComposer();
    }
    case 'undoRun': {
      const session = await registry.open(intent.sessionId);
      if (!(await parts.restore.undoRun(session, intent.promptId))) return;
      // The focused button is gone.
      return panel.focusComposer();
    }
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
    case 'steerSetUp':
      return parts.local.steerSetUp(intent.action);
    case 'refreshServer':
      return server.retry();
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

/** The prompt that ends plan mode. The note about the new mode stands before it. */
const CARRY_OUT = 'Carry out the plan.';

/** Takes only the two fields: other fields of the intent stay out of the decision. */
function allowedMore({ remember, acceptsEdits }: FromWebview & { readonly type: 'approve' }): AllowMore {
  return { ...(remember && { remember }), ...(acceptsEdits && { acceptsEdits }) };
}
