import * as vscode from 'vscode';
import { DEFAULT_QUESTION_MS, parseOwnerSettings, type ParsedOwnerSettings } from '../../endpoint/runs/ownerSettings';

/** How the agent is to be served, from the user's settings as they are now. */
export function readEndpointSettings(): ParsedOwnerSettings {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return parseOwnerSettings({
    port: configuration.get('endpoint.port'),
    maxRuns: configuration.get('endpoint.maxRuns'),
    maxRunTokens: configuration.get('endpoint.maxRunTokens'),
    maxResponseTokens: configuration.get('endpoint.maxResponseTokens'),
    questionMinutes: configuration.get('endpoint.questionMinutes'),
  });
}

/** How long a question of the endpoint waits for the person, now. */
export function readQuestionMs(): number {
  const parsed = readEndpointSettings();
  return parsed.ok ? parsed.settings.questionMs : DEFAULT_QUESTION_MS;
}
