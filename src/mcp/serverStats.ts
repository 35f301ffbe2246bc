/** What the `stats` tool says, as far as it is looked at here. */
export interface ServerStats {
  readonly memories: number;
  readonly episodes: number;
  readonly model: {
    readonly name: string;
    readonly state: string;
    readonly runtime: string;
    readonly reason: string;
  };
  readonly health: readonly HealthEntry[];
}

export interface HealthEntry {
  readonly code: string;
  readonly message: string;
}

/** Other versions may answer, so nothing is taken for granted. Throws where it is no answer of `stats` at all. */
export function readStats(content: unknown): ServerStats {
  const stats = objectOf(content);
  const [kinds, model] = [objectOf(stats['by_kind']), objectOf(stats['model'])];
  if (typeof model['state'] !== 'string')
    throw new Error('The answer to stats is not what this version knows.');
  const health: unknown[] = Array.isArray(stats['health']) ? stats['health'] : [];
  return {
    memories: countOf(kinds['memory']),
    episodes: countOf(kinds['episode']),
    model: {
      name: textOf(model['name']),
      state: model['state'],
      runtime: textOf(model['runtime']),
      reason: textOf(model['reason']),
    },
    health: health
      .map(objectOf)
      .map(({ code, message }) => ({ code: textOf(code), message: textOf(message) })),
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  // Every object's properties can be asked for by name; what they are is checked by whoever asks.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
