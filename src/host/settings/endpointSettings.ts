import * as vscode from 'vscode';
import { DEFAULT_QUESTION_MS, parseOwnerSettings, type ParsedOwnerSettings } from '../../endpoint/ownerSettings';

/** Reads the endpoint's settings of the user. */
export function readEndpointSettings(): ParsedOwnerSettings {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return parseOwnerSettings({
    port: configuration.get('endpoint.port'),
    maxRuns: configuration.get('endpoint.maxRuns'),
    maxRunTokens: configuration.get('endpoint.maxRunTokens'),
    maxResponseTokens: configuration.get('endpoint.maxResponseTokens'),
    questionMinutes: configuration.get('endpoint.questionMinutes'),
    allowedOrigins: configuration.get('endpoint.allowedOrigins'),
  });
}

/** How long a question of the endpoint waits for the person, in milliseconds. */
export function readQuestionMs(): number {
  const parsed = readEndpointSettings();
  return parsed.ok ? parsed.settings.questionMs : DEFAULT_QUESTION_MS;
}
