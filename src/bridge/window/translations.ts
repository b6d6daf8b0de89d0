import { config } from '../../util/l10n';
import * as vscode from 'vscode';

// Files that cannot import `vscode` translate with util/l10n, from the same file.
config({ contents: { ...vscode.l10n.bundle } });
