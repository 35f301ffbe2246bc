import type { ClientSettings } from '../link/hello.js';
import type { Caller } from '../tools/tool.js';

/** One client as the tools see it. */
export function callerOf(client: {
  readonly project: Caller['project'];
  readonly settings: ClientSettings;
  /** The model in use, whatever the client asks for. */
  readonly model: string;
}): Caller {
  const { project, settings, model } = client;
  const { captureEnabled, warnings, embeddingModel, toolsets } = settings;
  const notes = warnings.map((message) => ({ code: 'config', message }));
  if (embeddingModel !== model) {
    const message =
      `This client is configured for the embedding model ${embeddingModel}, but all clients of a storage directory ` +
      `share one, and that is ${model}. To change it, configure all clients alike and restart them.`;
    notes.push({ code: 'config', message });
  }
  return {
    project,
    captureEnabled,
    toolsets,
    notes,
    settings: {
      defaultThreshold: settings.defaultThreshold,
      defaultTtlSeconds: settings.defaultTtlSeconds,
      recallLogEnabled: settings.echoLogEnabled,
      recallLogMaxBytes: settings.echoLogMaxBytes,
    },
  };
}
