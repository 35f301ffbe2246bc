// What `import.meta.url` is to a module, for the bundles, which are CommonJS.
/* global __filename */
import { pathToFileURL } from 'node:url';

export const bundleUrl = pathToFileURL(__filename).href;
