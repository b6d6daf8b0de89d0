import * as vscode from 'vscode';
import { AgentError } from '../../sdk/errors';
import { asError } from '../../util/errors';

/** Turns an error into one that extensions know. The message says what to do. */
export function toLanguageModelError(error: unknown): Error {
  if (!(error instanceof AgentError)) return asError(error);
  switch (error.code) {
    case 'unauthorized':
      return vscode.LanguageModelError.NoPermissions(error.message);
    case 'not_found':
      return vscode.LanguageModelError.NotFound(error.message);
    case 'interrupted':
      return new vscode.CancellationError();
    default:
      return new vscode.LanguageModelError(error.message, { cause: error });
  }
}
