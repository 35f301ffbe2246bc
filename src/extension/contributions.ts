/** Everything `package.json` contributes under a name; a test compares the two. */

export const PALETTE_COMMANDS = [
  'rememberSelection',
  'recall',
  'search',
  'openMemory',
  'showDriftReport',
  'showInbox',
  'connectClient',
  'disconnectClient',
  'addGuidance',
  'removeGuidance',
  'installHooks',
  'removeHooks',
  'runDoctor',
  'chooseProject',
  'openSettings',
  'showLog',
  'restartServer',
  'restoreFromTrash',
  'emptyTrash',
] as const;

/** Those that make sense on a view or a row alone. */
export const VIEW_COMMANDS = [
  'refresh',
  'filterMemories',
  'clearFilter',
  'groupByTag',
  'groupByTime',
  'showHidden',
  'hideHidden',
  'loadMore',
  'copyAnswer',
  'editMemory',
  'forgetMemories',
  'compareVersion',
  'keepEpisode',
  'discardEpisodes',
  'discardOlder',
  'openTranscript',
  'splitMemory',
  'rewriteTask',
  'markReviewed',
] as const;

export type CommandName = (typeof PALETTE_COMMANDS)[number] | (typeof VIEW_COMMANDS)[number];

/** As the editor knows it. */
export function commandId(name: CommandName): string {
  return `subconscious.${name}`;
}

export const VIEWS = {
  memories: 'subconscious.memories',
  inbox: 'subconscious.inbox',
  drift: 'subconscious.drift',
} as const;

export const CONTEXT_KEYS = {
  /** `starting`, `ready` or `failed`; unset until the server was asked for. */
  server: 'subconscious.server',
  filtered: 'subconscious.filtered',
  groupBy: 'subconscious.groupBy',
  hiddenShown: 'subconscious.hiddenShown',
} as const;

export const SETTINGS_SECTION = 'subconscious';
export const SETTINGS = ['agentMode.enabled', 'recallThreshold', 'configurationFile'] as const;

/** Id of the provider that gives the editor the memory server. */
export const SERVER_PROVIDER = 'subconscious.server';
/** Scheme of memories that are opened as documents. */
export const SCHEME = 'subconscious';
