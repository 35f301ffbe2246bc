import { dialog, pressDialog, type Dialog } from './dialogs.js';
import { runCommand } from './palette.js';
import { cancel, quickPickRows, waitForQuickInput } from './quickInput.js';
import { until } from './waiting.js';
import { execute, inHost, type Window } from './window.js';

export interface McpServer {
  readonly label: string;
  /** Running, Stopped, Error...; where it comes from. */
  readonly description: string;
}

const LIST = 'MCP: List Servers';

async function openServers(window: Window) {
  await runCommand(window, LIST);
  await waitForQuickInput(window, 'Select an MCP Server');
}

/** What `MCP: List Servers` shows. */
export async function mcpServers(window: Window): Promise<McpServer[]> {
  await openServers(window);
  const rows = await quickPickRows(window);
  await cancel(window);
  // Its first row adds another one.
  return rows.filter(({ icon }) => icon !== 'add').map(({ label, description }) => ({ label, description }));
}

/** Names of the tools the editor has from MCP servers. */
export function mcpTools(window: Window): Promise<string[]> {
  return inHost(
    window,
    (api) => api.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_')),
    undefined,
  );
}

/** Starts the servers as agent mode does, and waits until one of the tools is called `..._<tool>`. */
export async function startMcpServers(window: Window, tool: string): Promise<void> {
  await until(
    `there is a tool ${tool}`,
    async () => {
      const options = { autoTrustChanges: true, waitForLiveTools: true };
      await execute(window, 'workbench.mcp.startServer', '*', options);
      return (await mcpTools(window)).some((name) => name.endsWith(`_${tool}`));
    },
    30,
  );
}

export interface ToolResult {
  readonly text: string;
  /** What the editor asked before it called the tool, and what was answered with Yes. */
  readonly asked: readonly Dialog[];
}

/** Calls an MCP tool by its server's name for it, as an agent would. */
export async function invokeTool(window: Window, tool: string, input: object): Promise<ToolResult> {
  const asked: Dialog[] = [];
  let result: { readonly text: string } | { readonly fault: Error } | undefined;
  void inHost(window, callTool, { tool, input }).then(
    (text) => (result = { text }),
    (fault: unknown) => (result = { fault: fault instanceof Error ? fault : new Error(String(fault)) }),
  );
  const settled = await until(
    `the tool ${tool} answers`,
    async () => {
      const question = await dialog(window);
      if (question === undefined) return result;
      asked.push(question);
      await pressDialog(window, 'Yes');
      return undefined;
    },
    60,
  );
  if ('fault' in settled) throw settled.fault;
  return { text: settled.text, asked };
}

const callTool: Parameters<typeof inHost<{ tool: string; input: object }, string>>[1] = async (
  { lm },
  { tool, input },
) => {
  const name = lm.tools.map((known) => known.name).find((known) => known.endsWith(`_${tool}`));
  if (name === undefined)
    throw new Error(`no tool ${tool}; there are: ${lm.tools.map((t) => t.name).join(' | ')}`);
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part as { readonly value?: string }).value ?? '').join('\n');
};
