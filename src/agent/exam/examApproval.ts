import type { ApprovalAsk } from '../approval/approver';
import { checkCommand } from './examTask';

/**
 * Decides in place of a person what the agent may do in an exam: edits of files in the folder, and the check of the task. All
 * else is denied. Commands that only read do not ask.
 */
export const approveForExam: ApprovalAsk = ({ plan, isSensitive = false }) => {
  const deny = (reason: string) => Promise.resolve({ action: 'deny', reason } as const);
  switch (plan.kind) {
    case 'edit':
      if (isSensitive || plan.target.pathInRoot === null) return deny('Only files of the folder may be changed.');
      return Promise.resolve({ action: 'allow' });
    case 'command': {
      const isCheck = isCheckCommand(plan.command) && plan.cwd.pathInRoot === '' && plan.isBackground !== true;
      if (isCheck) return Promise.resolve({ action: 'allow' });
      return deny(`Only \`${checkCommand}\` and commands that read files of the folder may run.`);
    }
    default:
      return deny('Only the files of the folder may be used.');
  }
};

/** Whether a command is exactly the check of a task. */
export function isCheckCommand(command: string): boolean {
  const words = command.trim().split(/ +/);
  return words.length === 2 && `node ${words[1]!.replace(/^\.\//, '')}` === checkCommand && words[0] === 'node';
}
