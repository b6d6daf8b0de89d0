import { createApprovalHook } from '../../agent/approval/approvalHook';
import { asApprovablePlan } from '../../agent/approval/approvablePlan';
import { createCommandAssessor } from '../../agent/approval/commandAssessor';
import { unclearDenial } from '../../agent/approval/denials';
import type { SessionRules } from '../../agent/approval/rules/permissionRules';
import { UnseenEdits } from '../../agent/approval/unseenEdits';
import { isJsonObject } from '../../util/json';
import { createNodeCommandWorld } from '../../workspace/node/commands/nodeCommandWorld';
import type { Root, WorkspacePorts } from '../../workspace/ports';
import { Grammars } from '../../workspace/shell/parse/grammars';
import { createTools } from '../../workspace/tools/createTools';
import type { ApprovalAnswer } from './approvalQuestion';
import type { PermissionMode } from './permissionMode';
import { questionOf } from './questionOf';
import type { Workspace, WorkspaceOptions } from './workspaceOptions';

export { createNodeCommandRunner } from '../../workspace/node/commands/nodeCommandRunner';
export { clearingDrafts } from '../../workspace/node/files/draftRecords';
export { createNodeFileSystem } from '../../workspace/node/files/nodeFileSystem';
export { createNodeTextSearch } from '../../workspace/node/search/nodeTextSearch';

interface WorkParts extends Pick<WorkspaceOptions, 'ask' | 'shellGrammars'> {
  readonly ports: WorkspacePorts;
  readonly roots: () => readonly Root[];
  readonly mode: () => PermissionMode;
  readonly rules: SessionRules;
}

/** The part of a workspace that does the work. It is large, so the first call loads it. The hook knows no trusted tools. */
export function openWork({ ports, roots, mode, rules, shellGrammars, ask }: WorkParts): Workspace {
  const parts = {
    isTrusted: () => true,
    mode,
    assessCommand:
      shellGrammars &&
      createCommandAssessor({ machine: createNodeCommandWorld(), ports, roots, grammars: new Grammars(shellGrammars) }),
    rules,
    unseenEdits: new UnseenEdits({ onInternalError: () => {} }),
  };
  return {
    tools: createTools({ ports, roots }),
    async approvalHook(event) {
      if (!asApprovablePlan(event.plan)) return { action: 'deny', reason: unknownTool(event.toolName) };
      let waits = false;
      const decide = createApprovalHook({
        ...parts,
        ask: async (request, { signal }) => {
          if (!ask) return { action: 'deny', reason: nobody };
          const answer = await ask(questionOf(request), { signal });
          if (!isJsonObject(answer)) return { action: 'deny', reason: unclearDenial };
          waits = answer.action === 'wait';
          return answer.action === 'wait' ? { action: 'cancelled' } : plainAnswer(answer);
        },
      });
      const decision = await decide(event);
      return waits && !event.signal.aborted ? { action: 'wait' } : decision;
    },
  };
}

/** Only yes and no: a program gives no text of its own for an edit. */
function plainAnswer(answer: Exclude<ApprovalAnswer, { action: 'wait' }>): typeof answer {
  if (answer.action === 'allow') return { action: 'allow' };
  return answer.action === 'deny' ? { action: 'deny', reason: answer.reason } : answer;
}

function unknownTool(name: string): string {
  return `The hook of the workspace does not know what ${name} would do. The program can name it in trustedTools.`;
}

const nobody = 'It needs a decision, and this program asks nobody.';
