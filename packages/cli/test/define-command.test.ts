import { COMMANDS, type CommandName, flagOf, type Option, type Table } from '@pelt/jobs/commands';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { defineCommand } from '../src/define-command.ts';

/** Help breaks lines; this puts them together again. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');

describe.each(Object.keys(COMMANDS) as CommandName[])('pelt %s', async (name) => {
  const table: Table = await COMMANDS[name].table();
  const command = new Command(name);
  defineCommand(command, name, table, () => {});
  const help = flat(command.helpInformation());

  it('has a flag for every option of its table, and helps with its words', () => {
    for (const [key, option] of Object.entries(table.options) as [string, Option][]) {
      const flags = command.options.find((made) => made.attributeName() === key);
      expect(flags?.long, key).toBe(flagOf(key, option));
      expect(help).toContain(flat(option.default === true ? (option.without ?? '') : option.help));
      if (option.kind.choices) expect(help).toContain(option.kind.is);
      if (option.otherwise) expect(help).toContain(flat(`(default: ${option.otherwise})`));
      if (['string', 'number'].includes(typeof option.default)) expect(help).toContain(`(default: ${option.default})`);
      expect(flags?.mandatory, key).toBe(option.required ?? false);
    }
    const shell = [
      'output',
      'threads',
      'memory',
      'maxTime',
      'json',
      'report',
      'quiet',
      'verbose',
      'dryRun',
      'config',
      'debug',
    ];
    const own = command.options.map((made) => made.attributeName()).filter((key) => !shell.includes(key));
    expect(own.sort()).toEqual(Object.keys(table.options).sort());
  });

  it('takes the paths and shows the usage of its table', () => {
    for (const { name: word, help: words, many, optional } of table.inputs) {
      expect(help).toContain(`${word} ${flat(words)}`);
      expect(command.usage()).toContain(`${optional ? '[' : '<'}${word}${many ? '...' : ''}`);
    }
    expect(command.usage().includes('-o <file>')).toBe(table.output?.required ?? false);
    expect(help.includes('--threads')).toBe(table.threads ?? false);
    if (table.output) expect(help).toContain(flat(table.output.help));
  });
});
