import { directoryIdentity } from '../link/address.js';
import { PROTOCOL, SCHEMA, type Hello } from '../link/hello.js';
import type { Setup } from '../link/setup.js';
import { identifyProject, type Project } from '../project/project.js';

/** What a front says to each host. The project is looked up once, here: a slow disk holds up nobody else. */
export function introduction(setup: Setup, frontId: string): (token: string) => Hello {
  const { config, version, home, directory } = setup;
  const { namespace, defaultThreshold, defaultTtlSeconds, echoLogEnabled, echoLogMaxBytes } = config;
  const { captureEnabled, embeddingModel, toolsets, warnings } = config;
  const recalling = { defaultThreshold, defaultTtlSeconds, echoLogEnabled, echoLogMaxBytes };
  let project: Project | undefined;
  // The hello has a longest length.
  const few = warnings.slice(0, 20).map((text) => text.slice(0, 500));
  return (token) => ({
    subconscious: 'hello',
    protocol: PROTOCOL,
    version,
    schema: SCHEMA,
    token,
    frontId,
    store: directoryIdentity(config.storageDir) ?? null,
    project: (project ??= identifyProject({ namespace, directory, home })),
    settings: { ...recalling, captureEnabled, embeddingModel, toolsets, warnings: few },
  });
}
