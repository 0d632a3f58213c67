/** `pelt studio`: serves the studio on the loopback, with files to open. */
import { spawn } from 'node:child_process';
import { type Command, InvalidArgumentError } from 'commander';
import { printable } from '../terminal/printable.ts';
import { DEFAULT_PORT, serveStudio } from './serve-studio.ts';

const EXAMPLES = `
Examples:
  # The studio, with its own examples
  $ pelt studio
  # A mesh and its cache, at 30 frames a second
  $ pelt studio rest.obj clip.pc2 --fps 30
  # The same beside a rig that was fitted to it
  $ pelt studio rest.obj clip.pc2 --fps 30 --rig fitted.glb`;

interface StudioOptions {
  readonly rest?: string;
  readonly fps?: number;
  readonly rig?: string;
  readonly port: number;
  readonly open: boolean;
}

/** @param finish  gets the exit code */
export function defineStudio(command: Command, finish: (code: number) => void): void {
  command
    .usage('[input...] [options]')
    .argument('[input...]', 'files or a folder to open: what pelt fit takes')
    .option('--rest <file>', 'the rest pose')
    .option('--fps <n>', 'frames a second of files that do not say', positive)
    .option('--rig <file>', 'a skinned GLB that plays the same animation, to be shown beside it')
    .option('--port <n>', 'port on this machine; the next free one if it is taken', port, DEFAULT_PORT)
    .option('--no-open', 'print the address and open no browser')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { rest, fps, rig, port: wanted, open } = command.opts<StudioOptions>();
      const server = await serveStudio({ inputs: command.args, rest, fps, rig }, wanted);
      process.stdout.write(`${printable(`studio: ${server.address}  (Ctrl-C ends it)`)}\n`);
      if (open && process.stdout.isTTY) openBrowser(server.address);
      await new Promise<void>((end) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end());
      });
      await server.close();
      finish(0);
    });
}

function openBrowser(address: string): void {
  const [program, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? [
    'xdg-open',
  ];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // Without such a program the address that was printed will do.
  child.on('error', () => {});
  child.unref();
}

function positive(word: string): number {
  const number = Number(word);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('It must be a positive number.');
}

function port(word: string): number {
  const number = Number(word);
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
