/** The man page pelt(1), in the macros of man(7), from the commands and options that the help shows. */
import type { Command } from 'commander';

const EXIT_CODES = [
  ['0', 'done'],
  ['1', 'usage: a wrong option or value'],
  ['2', 'an input cannot be read'],
  ['3', 'not supported'],
  ['4', 'an output cannot be written'],
  ['5', 'a numeric failure, or a fault of pelt'],
  ['6', 'done, but a limit that was set is exceeded'],
  ['130', 'cancelled'],
] as const;

export function manPage(program: Command, version: string): string {
  return [
    `.TH PELT 1 "" "pelt ${text(version)}" "User commands"`,
    '.SH NAME',
    `pelt \\- ${text(program.description())}`,
    '.SH SYNOPSIS',
    '.B pelt',
    '.I command',
    '[\\fIinputs\\fR] [\\fB\\-o\\fR \\fIoutput\\fR] [\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...program.commands.flatMap(commandLines),
    '.SH FILES',
    '.TP',
    '.I pelt.config.json',
    'Options of commands, in the working folder: {"all": {"threads": 2}, "fit": {"bones": 30}}. The command line overrides them.',
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
    '',
  ].join('\n');
}

function commandLines(command: Command): string[] {
  const help = command.createHelp();
  return [
    `.SS pelt ${text(command.name())} ${text(command.usage())}`,
    text(command.description()),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .flatMap((option) => ['.TP', `.B ${text(option.flags)}`, text(help.optionDescription(option))]),
  ];
}

/** Backslashes, hyphens and leading dots mean something to roff. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
