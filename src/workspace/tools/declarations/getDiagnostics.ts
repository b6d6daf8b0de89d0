import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

export const getDiagnosticsDeclaration = declareTool({
  name: 'get_diagnostics',
  description: 'Errors and warnings.',
  shape: { path: { type: 'string', optional: true } },
  aliases: ['diagnostics', 'get_errors', 'read_lints', 'get_problems'],
  parameterAliases: PATH_ALIASES,
});
