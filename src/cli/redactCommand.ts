import { Command } from 'commander';
import { redact } from '../capture/redact/redact.js';
import type { World } from './world.js';

export function redactCommand(world: World): Command {
  return new Command('redact')
    .description('Prints the text on its input with secrets masked, as they are before anything is stored.')
    .option('--json', 'print { "text", "findings": [{ "rule", "start", "end" }] }; places are in the input')
    .addHelpText('after', '\nExample:\n  subconscious-mcp redact < notes.txt')
    .action(async ({ json }: { readonly json?: true }) => {
      const { text, findings } = redact(await textOf(world.stdin));
      world.out(json === true ? `${JSON.stringify({ text, findings })}\n` : text);
    });
}

/** Decoded as a whole, so that no character is cut in two; what is not UTF-8 becomes U+FFFD. */
async function textOf(input: World['stdin']): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}
