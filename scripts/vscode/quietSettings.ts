/** Settings that keep the window free of what has nothing to do with a test. */
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
  // Otherwise a selected space is a dot in the page.
  'editor.renderWhitespace': 'none',
  'editor.stickyScroll.enabled': false,
  'chat.commandCenter.enabled': false,
};
