import type { ApprovablePlan } from '../../agent/approval/approvablePlan';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../agent/approval/approver';
import { editWarnings } from '../../agent/approval/editHazards';
import type { RememberOffer } from '../../agent/approval/offers';
import { denialLabel } from '../../agent/view/denialLabel';
import { assertNever } from '../../util/assertNever';
import { providerName } from '../../agent/extensionTools/extensionPlan';
import { visibleText } from '../../util/text/visibleText';
import { unseenWaysOut } from '../agent/unseenWaysOut';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import { plainStyles, type Styles } from './styles';
import type { Terminal } from './terminal';
import { TurnQueue } from '../../util/async/turnQueue';

export interface TerminalApprover extends Approver {
  /** The number of questions denied because nobody could be asked. */
  readonly unasked: number;
}

export interface TerminalApproverParts {
  /** Absent: nobody can be asked, so everything is denied. */
  readonly terminal?: Terminal | undefined;
  readonly print: (text: string) => void;
  /** Absent: no colours. */
  readonly styles?: Styles | undefined;
}

/** Asks at the terminal. Shows the whole edit or command, with hidden characters made visible. */
export function createTerminalApprover({
  terminal,
  print,
  styles = plainStyles,
}: TerminalApproverParts): TerminalApprover {
  let unasked = 0;
  const turns = new TurnQueue();
  return {
    get unasked() {
      return unasked;
    },
    ask(request, { signal }) {
      // Asks one question at a time: several edits of one response may ask together.
      return turns.run(() => askNow(request, signal));
    },
  };

  async function askNow(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (signal.aborted) return { action: 'cancelled' };
    print(`\n${describeRequest(request, styles)}\n`);
    if (!terminal) {
      unasked += 1;
      const wayOut = request.isAboutUnseen ? ` ${unseenWaysOut}` : '';
      print(`${denialLabel(request.toolName, true)}: nobody can be asked.${wayOut}\n`);
      return { action: 'deny', reason: `${NOBODY}${wayOut}` };
    }
    const remembered = request.offers?.remember?.scopes.includes('session') ? ', [a]lways in this session' : '';
    const answer = await terminal.ask(
      `${styles.bold(QUESTIONS[request.plan.kind])} [y]es, [n]o${remembered}, or say what to do instead: `,
      { signal },
    );
    if (remembered !== '' && isAlways(answer)) return { action: 'allow', remember: 'session' };
    return decision(answer);
  }
}

const QUESTIONS = {
  edit: 'Accept?',
  edits: 'Accept?',
  command: 'Run?',
  read: 'Read?',
  mcp: 'Run?',
  extension: 'Run?',
} as const;

const NOBODY =
  'Nobody can approve it: this runs without a terminal. Use only tools that read, and say what you would have changed or run.';

function isAlways(answer: string | undefined): boolean {
  return ['a', 'always'].includes(answer?.trim().toLowerCase() ?? '');
}

/** Only a clear yes allows. */
function decision(answer: string | undefined): ApprovalDecision {
  if (answer === undefined) return { action: 'cancelled' };
  const words = answer.trim();
  switch (words.toLowerCase()) {
    case 'y':
    case 'yes':
      return { action: 'allow' };
    case '':
    case 'n':
    case 'no':
      return { action: 'deny' };
    default:
      return { action: 'deny', reason: words };
  }
}

function describeRequest(
  { plan, reason, programs = [], unknownPrograms = [], dangers = [], offers }: ApprovalRequest,
  styles: Styles,
): string {
  const rules = offers?.remember?.rules.map((rule) => visibleText(rule, 'path')) ?? [];
  const lines = [
    describePlan(plan, styles),
    ...(programs.length > 0
      ? [`Runs ${[...new Set(programs)].map((name) => visibleText(name, 'path')).join(', ')}.`]
      : []),
    ...[...new Set(unknownPrograms)].map((unknown) => visibleText(unknown, 'path')),
    ...dangers.map(({ text }) => `Danger: ${text}`),
    ...(rules.length > 0 ? [`“Always” allows exactly: ${rules.join(' and ')}${folderOf(offers?.remember)}`] : []),
  ];
  return `${lines.join('\n')}\n(${visibleText(reason, 'path')})`;
}

function folderOf(remember: RememberOffer | undefined): string {
  if (!remember?.folder) return '';
  const { name } = remember.folder;
  return name === '.' ? ', in the workspace folder' : `, in ${visibleText(name, 'path')}`;
}

function describePlan(plan: ApprovablePlan, styles: Styles): string {
  switch (plan.kind) {
    case 'edit': {
      const diff = unifiedDiff(plan.before, plan.after, { maxLines: Number.POSITIVE_INFINITY });
      const counts = `+${diff.addedLines} -${diff.removedLines}`;
      const path = visibleText(plan.target.displayPath, 'path');
      const warnings = editWarnings(plan).map((warning) => `${styles.yellow(`Warning: ${warning}`)}\n`);
      return `${OPERATIONS[plan.operation]} ${path} (${counts})\n${warnings.join('')}${colouredDiff(visibleText(diff.text, 'code'), styles)}`;
    }
    case 'edits':
      return [visibleText(plan.title, 'path'), ...plan.edits.map((edit) => describePlan(edit, styles))].join('\n');
    case 'command': {
      const command = visibleText(plan.command, 'command').split('\n').join('\n  ');
      return `Run in ${visibleText(plan.cwd.path, 'path')}:\n  ${styles.bold(command)}`;
    }
    case 'read':
      return `Read ${visibleText(plan.target.displayPath, 'path')}${plan.isFor === 'edit' ? ' to plan an edit' : ''}`;
    case 'mcp':
    case 'extension': {
      const given = visibleText(JSON.stringify(plan.arguments, undefined, 2), 'code')
        .split('\n')
        .join('\n  ');
      const provider = plan.kind === 'mcp' ? `the MCP server ${plan.server}` : providerName(plan.extension);
      return `Run ${visibleText(plan.tool, 'path')} of ${visibleText(provider, 'path')} with:\n  ${given}`;
    }
    default:
      return assertNever(plan);
  }
}

function colouredDiff(diff: string, styles: Styles): string {
  return diff.replace(/^[+-].*$/gm, (line) => (line.startsWith('+') ? styles.green(line) : styles.red(line)));
}

const OPERATIONS = { edit: 'Edit', create: 'Create', overwrite: 'Overwrite' } as const;
