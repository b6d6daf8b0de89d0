// Imported first, so that every text that is shown can be translated.
import { config } from '../util/l10n';
import { setLanguage } from '../util/locale';
import * as vscode from 'vscode';

// Files that cannot import `vscode` translate with util/l10n, from the same file.
config({ contents: { ...vscode.l10n.bundle } });
if (vscode.l10n.bundle) setLanguage(vscode.env.language);
