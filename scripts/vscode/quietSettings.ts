/** Settings that hide parts of the window no test needs. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Dark Modern',
  'window.autoDetectColorScheme': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
  'editor.minimap.enabled': false,
  // Otherwise a selected space appears as a dot in the page.
  'editor.renderWhitespace': 'none',
  'editor.stickyScroll.enabled': false,
  'chat.commandCenter.enabled': false,
  // What moves is drawn again and again, without a graphics processor.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  // Otherwise changing settings in a test starts the JSON server with the schema of all settings.
  'files.associations': { '**/User/settings.json': 'plaintext' },
};
