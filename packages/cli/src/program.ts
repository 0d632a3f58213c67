/**
 * The command line as commander sees it. Only the command that is asked for is loaded with its options; of the others
 * the help needs no more than a line.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';

type Define = (command: Command, finish: (exitCode: number) => void) => void;

interface Entry {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Define>;
}

const COMMANDS: readonly Entry[] = [
  {
    name: 'info',
    usage: '<file...> [options]',
    summary: 'what is in a file: format, vertices, frames, joints, clips, bounds',
    load: async () => (await import('./commands/info.ts')).defineInfo,
  },
  {
    name: 'convert',
    usage: '<input...> -o <file> [options]',
    summary: 'one sequence format to another',
    load: async () => (await import('./commands/convert.ts')).defineConvert,
  },
  {
    name: 'fit',
    usage: '<input...> -o <file.glb> [options]',
    summary: 'bones, weights and baked animation from a mesh animation',
    load: async () => (await import('./commands/fit.ts')).defineFit,
  },
  {
    name: 'skeleton',
    usage: '<input...> -o <file.glb|file.bvh> [options]',
    summary: 'joints and a hierarchy, weights and rotations from a mesh animation',
    load: async () => (await import('./commands/skeleton.ts')).defineSkeleton,
  },
  {
    name: 'reduce',
    usage: '<rig.glb> [examples...] -o <file.glb> [options]',
    summary: 'fewer weights, virtual bones, fewer keys, fewer bytes, judged on the surface',
    load: async () => (await import('./commands/reduce.ts')).defineReduce,
  },
  {
    name: 'envelope',
    usage: '<rig.glb> <examples...> -o <file.glb> [options]',
    summary: 'learn pose-dependent skin from examples',
    load: async () => (await import('./commands/envelope.ts')).defineEnvelope,
  },
  {
    name: 'volume',
    usage: '<mesh> --rig <rig.glb> -o <file> [options]',
    summary: 'a closed mesh moved by a skeleton, with its volume kept',
    load: async () => (await import('./commands/volume.ts')).defineVolume,
  },
  {
    name: 'puppet',
    usage: '<character> --pairs <file> --motion <file> -o <file.glb> [options]',
    summary: 'a performance onto a character',
    load: async () => (await import('./commands/puppet.ts')).definePuppet,
  },
  {
    name: 'pose',
    usage: '<model> --handle <vertex=x,y,z> -o <file> [options]',
    summary: 'a character by a few points of its skin',
    load: async () => (await import('./commands/pose.ts')).definePose,
  },
  {
    name: 'compare',
    usage: '<a...> <b...> [options]',
    summary: 'every metric between two animations',
    load: async () => (await import('./commands/compare.ts')).defineCompare,
  },
];

/** @returns the exit code */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('pelt')
    .description('Example shapes in, real-time characters out.')
    .version(version(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'help for a command')
    .addHelpText('after', '\nEvery command has examples of its own: pelt fit --help');
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.summary).usage(entry.usage);
    if (isAskedFor(entry.name, args)) (await entry.load())(command, (code) => (exitCode = code));
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ outputError: (text, write) => write(oneLine(text, command)) });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version that were asked for end in success; all else is a usage error.
    return error.exitCode === 0 ? 0 : 1;
  }
  return exitCode;
}

function isAskedFor(name: string, args: readonly string[]): boolean {
  const words = args.filter((word) => !word.startsWith('-'));
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
