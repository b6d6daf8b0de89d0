// The model's text for a call that does not run. The tool runner puts "The call was denied. Nothing was changed." before it.

/** For every call in an untrusted workspace. */
export const untrustedDenial =
  'This workspace is not trusted, so no tool may run in it. Answer from what is in the conversation. Tell the user ' +
  'that files can be read and changed after "Workspaces: Manage Workspace Trust" in VS Code.';

export const stoppedDenial = 'The run was stopped before this was decided.';

/** `forbidden`: the rule, as a sentence for people without its full stop. */
export function ruleDenial(forbidden: string): string {
  return `${forbidden}. Do not try it in another way; tell the user.`;
}

/** `refused`: the kind of call, in the plural. */
export function planModeDenial(refused: string): string {
  return (
    `The session is in plan mode: ${refused} are refused. Asking again or in another way changes nothing. ` +
    'Read what you still need, then describe to the user, step by step, what you would change and run.'
  );
}

/** The person's words, if they gave any. */
export function userDenial(reason: string | undefined): string {
  return reason?.trim() || 'The user said no.';
}

export const unansweredDenial = 'The question was closed before anybody answered it.';

export const unclearDenial = 'The answer to the question was not understood.';

export function unaskedDenial(message: string): string {
  return `Nobody could be asked: ${message}`;
}

/** For an answer that changes the text of a call that is no edit. */
export function unchangeableDenial(kind: string): string {
  return `A ${kind === 'command' || kind === 'read' ? kind : 'call'} cannot be changed while it is approved.`;
}

/** For a tool that prepared no plan that a person could be shown. */
export function unapprovableDenial(toolName: string): string {
  return `The plan of ${toolName} has an unknown form, so it cannot be approved.`;
}
