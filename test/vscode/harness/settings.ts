export const THEMES = {
  dark: { name: 'Dark 2026', className: 'vs-dark' },
  light: { name: 'Light 2026', className: 'vs' },
  highContrast: { name: 'Default High Contrast', className: 'hc-black' },
  highContrastLight: { name: 'Default High Contrast Light', className: 'hc-light' },
} as const;

export type Theme = keyof typeof THEMES;

export type Settings = Readonly<Record<string, unknown>>;

/** A workbench that shows nothing by itself, asks nothing and writes text as it was typed. */
export const QUIET: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'window.commandCenter': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.startupPrompt': 'never',
  'git.enabled': false,
  // As on the desktop; in the browser the default saves after a second.
  'files.autoSave': 'off',
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoSurround': 'never',
  'editor.autoIndent': 'none',
};
