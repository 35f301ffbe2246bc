/** Configuration that cannot be used. The message names the key and its source, and says what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly reason = 'config';
}
