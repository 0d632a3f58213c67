/** Completion scripts for shells, from the commands and options that the help shows. */
import { UsageError } from '@pelt/model';
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface Words {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly { readonly flag: string; readonly help: string; readonly choices: readonly string[] }[];
}

export function completionScript(program: Command, shell: string): string {
  const commands = program.commands.map(wordsOf);
  if (shell === 'bash') return bash(commands);
  if (shell === 'zsh') return `#compdef pelt\nautoload -U bashcompinit && bashcompinit\n${bash(commands)}`;
  if (shell === 'fish') return fish(commands);
  throw new UsageError(`there is no completion for '${shell}'; it must be ${SHELLS.join(', ')}`);
}

function wordsOf(command: Command): Words {
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, short, description }) => ({
      flag: long ?? short ?? '',
      help: description,
      choices: choicesIn(description),
    }));
  return { name: command.name(), summary: command.description(), options };
}

/** Help of an option with a few values ends in them: `the method: ssdr, affine, sma or lssp (default: ssdr)`. */
function choicesIn(help: string): string[] {
  const found = /: ((?:[a-z0-9-]+, )*[a-z0-9-]+ or [a-z0-9-]+)(?:;| \(|$)/.exec(help);
  return found ? found[1].split(/, | or /) : [];
}

/** Files where nothing else is known, as everywhere else in the shell. */
function bash(commands: readonly Words[]): string {
  const flags = commands.map(
    ({ name, options }) => `    ${name}) words='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ flag, choices }) =>
          `    '${name} ${flag}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return ;;`,
      ),
  );
  return [
    '_pelt() {',
    '  local cur=$' + '{COMP_WORDS[COMP_CWORD]} prev=$' + '{COMP_WORDS[COMP_CWORD-1]} words=',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$cur")); return`,
    '  fi',
    '  case "$' + '{COMP_WORDS[1]} $prev" in',
    ...values,
    '  esac',
    '  case "$cur" in -*) ;; *) return ;; esac',
    '  case "$' + '{COMP_WORDS[1]}" in',
    ...flags,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _pelt pelt',
    '',
  ].join('\n');
}

function fish(commands: readonly Words[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c pelt -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...options.map(({ flag, help, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : '';
      return `complete -c pelt -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${values} -d ${quoted(help)}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
