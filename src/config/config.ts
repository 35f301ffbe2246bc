import { dirname, join, resolve } from 'node:path';
import { ConfigError } from './configError.js';
import { readConfigFile } from './configFile.js';
import { nearestName } from './nearestName.js';
import { SETTINGS, type LogLevel, type Setting, type SettingName, type Toolset } from './settings.js';

export interface Config {
  /** Absolute path. */
  readonly storageDir: string;
  readonly embeddingModel: string;
  /** 0 to 1. */
  readonly defaultThreshold: number;
  /** null: never. */
  readonly defaultTtlSeconds: number | null;
  readonly logLevel: LogLevel;
  readonly echoLogEnabled: boolean;
  readonly echoLogMaxBytes: number;
  /** As the user wrote it, or null where the project comes from the folder. */
  readonly namespace: string | null;
  readonly captureEnabled: boolean;
  /** How long episodes stay that nobody kept, and how many of a project at most. */
  readonly episodeDays: number;
  readonly episodeLimit: number;
  /** What the client is offered. */
  readonly toolsets: readonly Toolset[];
  /** Engine and server in the client's own process, shared with nobody. */
  readonly standalone: boolean;
  /** How long the shared process stays without a client. */
  readonly idleSeconds: number;
  /** Sentences about parts of the file that have no effect. */
  readonly warnings: readonly string[];
}

export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder; empty where there is none, and then `storage_dir` has to be given. */
  readonly home: string;
  /** From `--config`; this file must exist. */
  readonly configPath?: string | undefined;
  readonly platform?: NodeJS.Platform;
}

/**
 * The configuration: environment over file over default; an empty variable counts as unset.
 * Throws a {@link ConfigError} for a value or a file that cannot be used.
 */
export function readConfig({ env, home, configPath, platform = process.platform }: ConfigSources): Config {
  const file = configFileOf(configPath, home);
  const raw = file === null ? new Map<string, unknown>() : readConfigFile(file, configPath !== undefined);

  function read<T, D>(name: SettingName, setting: Setting<T>, fallback: D): T | D {
    const text = variable(setting, env);
    if (text === undefined && !raw.has(name)) return fallback;
    const found = text ?? raw.get(name);
    const value = setting.read(found);
    if (value !== undefined) return value;
    const source = text === undefined ? (file ?? '') : `the environment variable ${setting.env ?? ''}`;
    throw new ConfigError(
      `${name} is ${JSON.stringify(found).slice(0, 80)} in ${source}, but allowed is ${setting.allowed}. ` +
        'Correct it, or remove it for the default.',
    );
  }

  const storageDir = read('storage_dir', SETTINGS.storage_dir, ownDir(home));
  if (storageDir === null) {
    throw new ConfigError(
      'There is no home folder to store memories in. Set SUBCONSCIOUS_STORAGE_DIR to a folder.',
    );
  }
  // A relative path in the file must mean the same folder to every process, whatever its working directory.
  const base = variable(SETTINGS.storage_dir, env) === undefined && file !== null ? dirname(file) : '.';

  return {
    storageDir: resolve(base, expandHome(storageDir, home)),
    embeddingModel: read('embedding_model', SETTINGS.embedding_model, 'all-MiniLM-L6-v2'),
    defaultThreshold: read('default_threshold', SETTINGS.default_threshold, 0.85),
    defaultTtlSeconds: read('default_ttl_seconds', SETTINGS.default_ttl_seconds, null),
    logLevel: read('log_level', SETTINGS.log_level, 'INFO'),
    echoLogEnabled: read('echo_log_enabled', SETTINGS.echo_log_enabled, true),
    echoLogMaxBytes: read('echo_log_max_bytes', SETTINGS.echo_log_max_bytes, 5_000_000),
    namespace: read('namespace', SETTINGS.namespace, null),
    captureEnabled: read('capture_enabled', SETTINGS.capture_enabled, true),
    episodeDays: read('episode_days', SETTINGS.episode_days, 90),
    episodeLimit: read('episode_limit', SETTINGS.episode_limit, 2000),
    toolsets: read('toolsets', SETTINGS.toolsets, ['core']),
    standalone: read('standalone', SETTINGS.standalone, false),
    // On Windows a process that lingers is in the way of updates.
    idleSeconds: read('idle_seconds', SETTINGS.idle_seconds, platform === 'win32' ? 10 : 60),
    warnings: [...raw.keys()]
      .filter((name) => !Object.hasOwn(SETTINGS, name))
      .map((name) => unknown(name, file ?? '')),
  };
}

/** What is known where the file cannot be used. */
export interface KnownConfig {
  /** As it was given, perhaps relative to the working directory; null where none is, and no home folder either. */
  readonly storageDir: string | null;
  /** null: only the file could say. */
  readonly captureEnabled: boolean | null;
}

/** What the environment says by itself; a value that cannot be used counts as unset. Never throws. */
export function knownConfig({ env, home }: Pick<ConfigSources, 'env' | 'home'>): KnownConfig {
  const { storage_dir, capture_enabled } = SETTINGS;
  const storageDir = storage_dir.read(variable(storage_dir, env)) ?? ownDir(home);
  return {
    storageDir: storageDir === null ? null : expandHome(storageDir, home),
    captureEnabled: capture_enabled.read(variable(capture_enabled, env)) ?? null,
  };
}

function variable({ env: name }: Setting<unknown>, env: ConfigSources['env']): string | undefined {
  const text = name === null ? undefined : env[name];
  return text?.trim() === '' ? undefined : text;
}

function ownDir(home: string): string | null {
  return home === '' ? null : join(home, '.subconscious-mcp', 'data');
}

/** The resolved configuration as JSON text, in the words of `config.json`. */
export function printable(config: Config): string {
  const content: Record<SettingName, unknown> = {
    storage_dir: config.storageDir,
    embedding_model: config.embeddingModel,
    default_threshold: config.defaultThreshold,
    default_ttl_seconds: config.defaultTtlSeconds,
    log_level: config.logLevel,
    echo_log_enabled: config.echoLogEnabled,
    echo_log_max_bytes: config.echoLogMaxBytes,
    namespace: config.namespace,
    capture_enabled: config.captureEnabled,
    episode_days: config.episodeDays,
    episode_limit: config.episodeLimit,
    toolsets: config.toolsets,
    standalone: config.standalone,
    idle_seconds: config.idleSeconds,
  };
  return JSON.stringify(content, null, 2);
}

function unknown(name: string, file: string): string {
  const names = Object.keys(SETTINGS);
  const nearest = nearestName(name, names);
  const advice = nearest === null ? `Known keys are ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `Unknown key "${name.slice(0, 80)}" in ${file} has no effect. ${advice}`;
}

/**
 * The file that is read: the one that was asked for, or the one in the home folder. Without a home folder there is no
 * file to look for: a relative path would let any project's folder supply one.
 */
export function configFileOf(configPath: string | undefined, home: string): string | null {
  if (configPath !== undefined) return resolve(expandHome(configPath, home));
  return home === '' ? null : join(home, '.subconscious-mcp', 'config.json');
}

/** A path with the home folder for its `~`. */
export function expandHome(path: string, home: string): string {
  return /^~($|[/\\])/.test(path) ? join(home, path.slice(1)) : path;
}
