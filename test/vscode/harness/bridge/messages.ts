/** Address of the socket the test listens on, for the extension hosts of its workbench. */
export const BRIDGE_VARIABLE = 'SUBCONSCIOUS_E2E_BRIDGE';

/** First line of an extension host. */
export interface Hello {
  readonly pid: number;
}

export interface Script {
  readonly id: number;
  /** A function of the editor's API and one argument. */
  readonly source: string;
  readonly argument: unknown;
}

export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly fault?: string;
}
