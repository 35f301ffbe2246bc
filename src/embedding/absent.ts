/**
 * Stands in for packages that the tokenizer's package imports and this program must not bundle: the browser
 * runtime, and the native runtime, which is loaded on demand by `runtime.ts`. A static import of it would
 * end the process where it is missing.
 */
export const env = {};
