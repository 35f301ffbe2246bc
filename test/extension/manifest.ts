import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '..', '..');

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

/** What is read here of `package.json`. */
interface Manifest {
  readonly main: string;
  readonly icon: string;
  readonly l10n: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: unknown;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: { readonly supported: unknown };
  };
  readonly contributes: {
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly viewsContainers: {
      readonly activitybar: readonly { readonly id: string; readonly icon: string }[];
    };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly {
      readonly view: string;
      readonly contents: string;
      readonly when: string;
    }[];
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly icon?: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>> & {
      readonly commandPalette: readonly MenuItem[];
    };
    readonly keybindings: readonly (MenuItem & { readonly key: string })[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly default?: unknown;
            readonly scope?: string;
            readonly description?: string;
            readonly markdownDescription?: string;
          }
        >
      >;
    };
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

export const manifest = json('package.json') as Manifest;
export const manifestText = JSON.stringify(manifest);
/** The words of the manifest by key. */
export const words = json('package.nls.json') as Readonly<Record<string, string>>;

/** @param path below the root */
export function json(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** What a text of the manifest says: most are keys such as `%command.recall%`. */
export function said(text: string): string {
  return text.replace(/%([^%\s]+)%/g, (_all, key: string) => words[key] ?? `no words for ${key}`);
}

/** Every menu item and keybinding, whatever menu it is in. */
export const menuItems: readonly MenuItem[] = [
  ...Object.values(manifest.contributes.menus).flat(),
  ...manifest.contributes.keybindings,
];

/** Every clause that says when something is shown or can be done. */
export const clauses: readonly string[] = [
  ...menuItems.map(({ when }) => when),
  ...manifest.contributes.viewsWelcome.map(({ when }) => when),
  ...manifest.contributes.commands.map(({ enablement }) => enablement),
].filter((clause) => clause !== undefined);

/** Every command that a link in some text leads to. */
export function linkedCommands(): string[] {
  return Object.values(words).flatMap((text) =>
    [...text.matchAll(/\(command:([^)?\s]+)/g)].map(([, id]) => String(id)),
  );
}
