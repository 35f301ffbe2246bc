/**
 * Stands in for both runtimes where the tokenizer's package imports them. It uses neither here: `runtime.ts` loads the
 * one this machine can load, when it is needed.
 */
export const env = {};
