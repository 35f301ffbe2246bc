import { z } from 'zod';
import { MAX_TAGS } from '../core/memory.js';
import { utf8Length, wellFormed } from '../core/text.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Largest texts a caller may hand in, in bytes of UTF-8. */
const LIMITS = { task: 64 * KIB, answer: 4 * MIB, tags: MAX_TAGS, tag: 100, id: 200, ids: 1000 } as const;

const NOT_BLANK = 'must be a non-empty string';

/** @param named the limit as people read it, e.g. `64 KiB`. */
function bounded(limit: number, named: string, kind: string) {
  return z.string(kind).superRefine((text, context) => {
    const bytes = utf8Length(text);
    if (bytes <= limit) return;
    context.addIssue({
      code: 'custom',
      message: `has ${bytes} bytes, more than the limit of ${named}; shorten it`,
    });
  });
}

/** Not blank. */
export function taskField(description: string) {
  return bounded(LIMITS.task, '64 KiB', NOT_BLANK)
    .refine((text) => text.trim() !== '', NOT_BLANK)
    .transform(wellFormed)
    .describe(description);
}

export function answerField(description: string) {
  return bounded(LIMITS.answer, '4 MiB', 'must be a string').transform(wellFormed).describe(description);
}

export function tagsField(description: string) {
  const tag = z
    .string('must be a string')
    .max(LIMITS.tag, `is longer than ${LIMITS.tag} characters`)
    .transform(wellFormed);
  return z
    .array(tag, 'must be a list of strings')
    .max(LIMITS.tags, `holds more than ${LIMITS.tags} tags`)
    .nullish()
    .describe(description);
}

const id = z
  .string(NOT_BLANK)
  .min(1, NOT_BLANK)
  .max(LIMITS.id, `is longer than ${LIMITS.id} characters`)
  .transform(wellFormed);

export function idField(description: string) {
  return id.describe(description);
}

export function optionalIdField(description: string) {
  return id.nullish().describe(description);
}

export function idsField(description: string) {
  return z
    .array(id, 'must be a list of ids')
    .min(1, 'is empty: name at least one entry')
    .max(LIMITS.ids, `holds more than ${LIMITS.ids} ids; send them in several calls`)
    .describe(description);
}

/** A whole number brought into its range: fractions are cut off, what is beyond an end counts as that end. */
export function countField(low: number, high: number, preset: number, description: string) {
  return z
    .number()
    .transform((value) => Math.min(high, Math.max(low, Math.trunc(value))))
    .prefault(preset)
    .meta({ type: 'integer', description });
}

/** For tools that work on any project; by default only on the caller's and what is global. */
export const anyProjectField = z.boolean().default(false).describe('Also of another project.');

/** What all tools that change something have in common. */
export const CHANGES = { readOnlyHint: false, openWorldHint: false } as const;

export const projectOut = z.object({ key: z.string(), name: z.string() });
export const tagsOut = z.array(z.string());
export const kindOut = z.enum(['memory', 'episode']);
export const degradedOut = z.literal('no_model').optional();
