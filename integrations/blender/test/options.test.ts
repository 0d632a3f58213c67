/** The operators of the add-on ask for options that the commands have, with their defaults. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, type CommandName, type Option } from '@pelt/jobs/commands';
import { describe, expect, it } from 'vitest';

const source = readFileSync(join(import.meta.dirname, '../pelt/operations.py'), 'utf8');
const page = readFileSync(join(import.meta.dirname, '../../../docs/guide/blender.md'), 'utf8');

/** The classes of options that become jobs. */
const classes = source
  .split(/^class /m)
  .filter((text) => text.includes('def jobs('))
  .map((text) => text.split(/^def /m)[0])
  .map((text) => {
    const commands = [...text.matchAll(/_job\("(\w+)"/g)].map(([, name]) => name as CommandName);
    const [, jobs] = text.split('def jobs(');
    const keys = [...jobs.matchAll(/"(\w+)":|options\["(\w+)"\]/g)].map(([, a, b]) => a ?? b);
    return { name: /^\w+/.exec(text)?.[0] ?? '', text, jobs, commands, keys };
  });

async function optionsOf(commands: readonly CommandName[]): Promise<Record<string, Option>> {
  const tables = await Promise.all(commands.map((name) => COMMANDS[name].table()));
  return Object.assign({}, ...tables.map(({ options }) => options));
}

describe('options of the add-on', () => {
  it('are those of five operations', () => expect(classes).toHaveLength(5));

  it.each(classes)('$name asks for what there is', async ({ commands, keys }) => {
    expect(keys.length).toBeGreaterThan(1);
    expect(Object.keys(await optionsOf(commands))).toEqual(expect.arrayContaining(keys));
  });

  it.each(classes)('$name has the defaults of the command', async ({ commands, jobs, text }) => {
    const options = await optionsOf(commands);
    const direct = [...jobs.matchAll(/"(\w+)": self\.(\w+)[,}\n]/g)];
    expect(direct.length).toBeGreaterThan(0);
    for (const [, key, property] of direct) {
      const [, body] = new RegExp(`^    ${property}: ([\\s\\S]*?)^    (?=\\w|$)`, 'm').exec(`${text}\n    end`) ?? [];
      const given = body.startsWith('_weights') ? '4' : (/default=("?[\w.]+"?)/.exec(body)?.[1] ?? firstItem(body));
      const value = given === 'True' ? true : given === 'False' ? false : JSON.parse(given);
      const { default: standard, otherwise = '' } = options[key];
      if (standard !== undefined) expect(value, `${property}, --${key}`).toBe(standard);
      else expect(otherwise, `${property}, --${key}`).toContain(String(value));
    }
  });

  it('are in the guide', () => {
    for (const { text } of classes) {
      for (const [, property] of text.matchAll(/^ {4}(\w+): (?:\w+Property|_weights)\(/gm))
        expect(page).toContain(`${property}=`);
    }
  });
});

/** An enumeration starts with its default where none is named. */
function firstItem(body: string): string {
  return /items=\[\s*\(("\w+")/.exec(body)?.[1] ?? '';
}
