/** `pelt mcp`: the commands as tools of the Model Context Protocol, on standard input and output. */
import type { Command } from 'commander';
import { CORES, wholeFrom } from '../farm/shared.ts';
import { memorySize, timeSpan } from '../limit-words.ts';
import { serveTools, type ToolLimits } from './serve-tools.ts';

const EXAMPLES = `
Examples:
  # Tools that read and write inside the folder of a project, and nowhere else
  $ pelt mcp ~/characters
  # Each call for ten minutes and 4 GB at most
  $ pelt mcp ~/characters --max-time 10m --memory 4G`;

export function defineMcp(command: Command, finish: (code: number) => void): void {
  command
    .usage('[folder] [options]')
    .argument('[folder]', 'the folder whose files may be read and written, and nothing outside of it', '.')
    .option('--threads <n>', 'threads to use; the result is the same', wholeFrom(1), CORES)
    .option('--memory <size>', 'most memory of a call, such as 2G; by default what the machine has', memorySize)
    .option('--max-time <time>', 'end a call after so long, such as 90s or 2h', timeSpan)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string) => {
      await serveTools(folder, command.opts<ToolLimits>());
      finish(0);
    });
}
