import type { Finding } from '../../core/ports.js';

export interface Detection {
  readonly findings: readonly Finding[];
  /** Where this detector goes on: what begins before is settled. */
  readonly resume: number;
}

/** Looks at the places where one of its anchors stands, and at no others. */
export interface Detector {
  /** Text that every find holds, without regard to case; at least three units. */
  readonly anchors: readonly string[];
  /** Whether it knows what it found by its form; what only its surroundings give away has a less telling name. */
  readonly specific: boolean;
  /** `at` is where something that may be an anchor begins. Null: look again at the next one. */
  detect(text: string, at: number): Detection | null;
}

/** Of a place where nothing was found. */
export const NONE: readonly Finding[] = [];

/** A rule as data. */
export interface Rule {
  readonly id: string;
  readonly anchors: readonly string[];
  /**
   * Sticky, tried where an anchor begins. The secret is the one of three groups that matched and ends it, else all.
   * What ends the pattern has no upper bound: no end of a secret may be left. Where something has to follow on a run
   * that can hold anchors itself, an empty group behind the run steps over it as a whole.
   */
  readonly pattern: RegExp;
  /** Matches, up to its end, what stands in front of the anchor and belongs to the secret; 100 units are looked at. */
  readonly before?: RegExp;
  /** What the line holds before it, within 200 units. */
  readonly line?: RegExp;
  /** Whether what matched is a secret and no placeholder. */
  readonly check?: (secret: string) => boolean;
}

export function detector(rule: Rule, specific: boolean): Detector {
  return {
    anchors: rule.anchors,
    specific,
    detect(text, at) {
      const { pattern } = rule;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null) return null;
      const end = pattern.lastIndex;
      const front =
        rule.before === undefined ? '' : rule.before.exec(text.slice(Math.max(0, at - 100), at))?.[0];
      if (front === undefined) return null;
      const secret = front + (match[1] ?? match[2] ?? match[3] ?? match[0]);
      const found = secret !== '' && isOnLine(rule.line, text, at) && (rule.check?.(secret) ?? true);
      return { findings: found ? [{ rule: rule.id, start: end - secret.length, end }] : NONE, resume: end };
    },
  };
}

function isOnLine(pattern: RegExp | undefined, text: string, at: number): boolean {
  if (pattern === undefined) return true;
  const front = text.slice(Math.max(0, at - 200), at);
  return pattern.test(front.slice(front.lastIndexOf('\n') + 1));
}

/**
 * Where a token may begin: not inside a word. A letter can belong to what stands before it all the same: an escape
 * (`\n`, `\u003d`, `%3D`) or the end of a terminal colour.
 */
export const TOKEN_START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]|\\u[\da-f]{4}|%[\dA-F]{2}|\x1b\[[\d;]{1,8}m))`;

/**
 * A rule for tokens that their prefix gives away. `body` is the pattern of what follows it; it takes all of a run,
 * however long, so that no end of a secret is left.
 */
export function token(
  id: string,
  prefixes: readonly string[],
  body: string,
  check: (body: string) => boolean = () => true,
): Rule {
  let pattern: RegExp | undefined;
  return {
    id,
    anchors: prefixes,
    // Made when it is first asked for: there are a hundred of them, and a hook is waited for.
    get pattern() {
      return (pattern ??= new RegExp(`${TOKEN_START}(?:${prefixes.map(quoted).join('|')})${body}`, 'y'));
    },
    check: (secret) => check(secret.slice(prefixes.find((text) => secret.startsWith(text))?.length)),
  };
}

function quoted(prefix: string): string {
  return prefix.replace(/[.$+/]/g, String.raw`\$&`);
}
