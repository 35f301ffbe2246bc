import { until } from './waiting.js';
import { execute, inHost, type Window } from './window.js';

/** Text of the output channel in the panel, once it has any. */
export function outputText(window: Window): Promise<string> {
  const shown = window.page
    .locator('[id="workbench.parts.panel"] .monaco-editor[data-uri^="output:"]')
    .first();
  return until('the output is shown', async () => {
    const uri = await shown.getAttribute('data-uri', { timeout: 1000 });
    return inHost(window, outputOf, uri);
  });
}

const outputOf: Parameters<typeof inHost<string | null, string | undefined>>[1] = (api, uri) =>
  api.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.getText() || undefined;

export async function closePanel(window: Window): Promise<void> {
  await execute(window, 'workbench.action.closePanel');
}
