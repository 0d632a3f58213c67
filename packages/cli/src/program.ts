/**
 * The command line as commander sees it. Only the command that is asked for is loaded with its options; of the others
 * the help needs no more than a line.
 */
import { readFileSync } from 'node:fs';
import { COMMANDS, type CommandName } from '@pelt/jobs/commands';
import { Command, CommanderError } from 'commander';
import { FARM_COMMANDS } from './farm/farm-commands.ts';

/** @returns the exit code */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('pelt')
    .description('Example shapes in, real-time characters out.')
    .version(version(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'help for a command')
    .addHelpText('after', '\nEvery command has examples of its own: pelt fit --help');
  for (const [name, { summary, table }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary).usage('[options]');
    if (!isAskedFor(name, args)) continue;
    const { defineCommand } = await import('./define-command.ts');
    defineCommand(command, name as CommandName, await table(), (code) => (exitCode = code));
  }
  for (const [name, { summary, define }] of Object.entries(FARM_COMMANDS)) {
    const command = program.command(name).description(summary).usage('[options]');
    if (isAskedFor(name, args)) (await define())(command, (code) => (exitCode = code));
  }
  const studio = program.command('studio').description('the studio in your browser, served by this machine');
  if (isAskedFor('studio', args)) {
    const { defineStudio } = await import('./studio/define-studio.ts');
    defineStudio(studio, (code) => (exitCode = code));
  }
  program
    .command('completion')
    .description('a completion script for bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', '\nExamples:\n  $ pelt completion bash > ~/.local/share/bash-completion/completions/pelt')
    .action(async (shell: string) => {
      const { completionScript } = await import('./shell/completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
  program
    .command('man')
    .description('the man page, for man -l')
    .addHelpText('after', '\nExamples:\n  $ pelt man | man -l -')
    .action(async () => {
      const { manPage } = await import('./shell/man-page.ts');
      process.stdout.write(manPage(program, version()));
    });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(oneLine(text, command)) });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version that were asked for end in success; all else is a usage error.
    if (error.exitCode === 0) return 0;
    if (args.includes('--json')) {
      const message = error.message.replace(/^error: /, '');
      process.stdout.write(`${JSON.stringify({ error: { message, exitCode: 1 } })}\n`);
    }
    return 1;
  }
  return exitCode;
}

function isAskedFor(name: string, args: readonly string[]): boolean {
  const words = args.filter((word) => !word.startsWith('-'));
  if (words[0] === 'completion' || words[0] === 'man') return true;
  return words[0] === name || (words[0] === 'help' && words[1] === name);
}

/** What commander says over several lines, as one, with where to read on. */
function oneLine(text: string, command: Command): string {
  const said = text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  const parent = command.parent ? `${command.parent.name()} ` : '';
  return `${said}; see ${parent}${command.name()} --help\n`;
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
