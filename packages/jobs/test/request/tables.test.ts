/** Table, command-line flags, JSON Schema and checks say the same of every option of every command. */
import { UsageError } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { COMMANDS, type CommandName } from '../../src/commands.ts';
import { checkRequest } from '../../src/request/check-request.ts';
import { requestJsonSchema } from '../../src/request/request-schema.ts';
import { PARTS } from '../../src/request/schema-parts.ts';
import { flagOf, type Option, type Table } from '../../src/request/table.ts';

interface JsonSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly minItems?: number;
}

/** Names that the shell has for itself. */
const SHELL = ['output', 'json', 'report', 'quiet', 'debug', 'threads', 'help', 'version'];

const names = Object.keys(COMMANDS) as CommandName[];

/** Of commands that write no GLB. */
const OUTPUTS: Readonly<Partial<Record<CommandName, string>>> = { view: 'out.png', study: 'out.html' };

/** A request with what the table requires, and no more. */
function least(command: CommandName, { inputs, output, options }: Table, more: object = {}) {
  const required = Object.entries(options).filter(([, option]) => option.required);
  return {
    command,
    inputs: inputs.filter(({ optional }) => !optional).map(({ name }) => name),
    ...(output?.required && { output: OUTPUTS[command] ?? 'out.glb' }),
    options: { ...Object.fromEntries(required.map(([name]) => [name, 'file'])), ...more },
  };
}

describe.each(names)('%s', async (command) => {
  const table: Table = await COMMANDS[command].table();
  const schema = (await requestJsonSchema(command)) as JsonSchema;
  const entries = Object.entries(table.options) as [string, Option][];

  it('is checked by what the table says', async () => {
    const { checked } = await checkRequest(least(command, table));
    const defaults = entries.filter(([, option]) => option.default !== undefined);
    for (const [name, option] of defaults) expect(checked.options[name], name).toEqual(option.default);
    for (const [name, option] of entries.filter((entry) => !defaults.includes(entry) && !entry[1].required)) {
      expect(checked.options[name], name).toBeUndefined();
      expect(option.kind.schema(PARTS).safeParse(undefined).success, name).toBe(false);
    }
  });

  it('has defaults that its own kinds accept', () => {
    for (const [name, { kind, default: standard }] of entries) {
      if (standard === undefined) continue;
      expect(kind.schema(PARTS).safeParse(standard).success, name).toBe(true);
      expect(JSON.parse(JSON.stringify(standard)), name).toEqual(standard);
    }
  });

  it('has a schema with the same names, helps, defaults and requirements', () => {
    expect(Object.keys(schema.properties)).toEqual(
      table.output ? ['command', 'inputs', 'output', 'options'] : ['command', 'inputs', 'options'],
    );
    const { properties, required = [], additionalProperties } = schema.properties.options;
    expect(additionalProperties).toBe(false);
    expect(schema.additionalProperties).toBe(false);
    expect(Object.keys(properties)).toEqual(entries.map(([name]) => name));
    expect(required).toEqual(entries.filter(([, option]) => option.required).map(([name]) => name));
    expect(schema.required?.includes('output') ?? false).toBe(table.output?.required ?? false);
    expect(schema.properties.inputs.minItems).toBe(table.inputs.filter(({ optional }) => !optional).length);
    for (const [name, { help, default: standard }] of entries) {
      expect(properties[name].description).toContain(help);
      expect(properties[name].default).toEqual(standard);
    }
  });

  it('has flags that belong to it alone', () => {
    for (const [name, option] of entries) {
      expect(SHELL).not.toContain(name);
      expect(name).toMatch(/^[a-z][A-Za-z]*$/);
      expect(flagOf(name, option)).toMatch(/^--[a-z][a-z-]*$/);
      expect(option.default === true, name).toBe(option.without !== undefined);
      expect(option.default !== undefined && option.otherwise !== undefined, name).toBe(false);
      expect(option.kind.value === '', name).toBe(typeof option.default === 'boolean');
    }
    expect(new Set(entries.map(([name]) => flagOf(name))).size).toBe(entries.length);
  });

  it('refuses options that another one leaves without effect', async () => {
    for (const [name, { only, decidedBy, kind, default: standard }] of entries) {
      if (!only && decidedBy === undefined) continue;
      // A value of the option that is not its default: some number or word of its kind.
      const candidates = [...(kind.choices ?? []), 3, 'a', 'rest.obj', ['rest.obj'], true];
      const value = candidates.find((own) => own !== standard && kind.schema(PARTS).safeParse(own).success);
      expect(value, name).toBeDefined();
      if (only) {
        const chooser = table.options[only.option];
        const { choices = [] } = chooser.kind;
        expect(choices).toEqual(expect.arrayContaining([...only.values]));
        for (const choice of choices) {
          const request = least(command, table, { [only.option]: choice, [name]: value });
          if (only.values.includes(choice)) await checkRequest(request);
          else await expect(checkRequest(request)).rejects.toThrow(`${flagOf(name)} has no effect on `);
        }
      }
      for (const decider of decidedBy ?? []) {
        const methods = only && { [only.option]: only.values[0] };
        const request = least(command, table, { ...methods, [name]: value, [decider]: 'rest.obj' });
        await expect(checkRequest(request)).rejects.toThrow(/has no effect with /);
      }
    }
  });

  it('refuses unknown options and keys, and values of no kind', async () => {
    const refuse = async (request: object, message: string | RegExp) => {
      const error: unknown = await checkRequest(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      const text = (error as Error).message;
      expect(text).toMatch(message);
      expect(text).not.toContain('\n');
      expect(text.startsWith(`${command}: `)).toBe(true);
    };
    const plain = least(command, table);
    await refuse(least(command, table, { bonez: 1 }), "there is no option 'bonez'; it takes ");
    await refuse({ ...plain, outputs: 'a' }, "a request has no 'outputs'");
    await refuse({ ...plain, inputs: [] }, 'inputs is []; it must be a list of paths: ');
    await refuse({ ...plain, inputs: 'rest.obj' }, "inputs is 'rest.obj'");
    await refuse({ ...plain, options: 3 }, 'options is 3; it must be an object');
    if (table.output?.required) await refuse({ ...plain, output: undefined }, 'the output is missing');
    for (const [name, { kind }] of entries) {
      const value = { nothing: 'of the kind' };
      await refuse(
        least(command, table, { [name]: value }),
        `${flagOf(name)} is {"nothing":"of the kind"}; it must be ${kind.is}`,
      );
    }
  });
});

describe('requests', () => {
  it('have a command that there is', async () => {
    await expect(checkRequest({ command: 'fitt' })).rejects.toThrow(
      "unknown command 'fitt'; it must be info, convert,",
    );
    await expect(checkRequest({ command: 'toString' })).rejects.toThrow('unknown command');
    await expect(checkRequest({})).rejects.toThrow('unknown command missing');
    await expect(checkRequest(undefined)).rejects.toThrow('a job is an object with command');
    await expect(checkRequest([])).rejects.toThrow('a job is an object with command');
  });

  it('survive JSON', async () => {
    const request = {
      command: 'pose',
      inputs: ['a.glb'],
      output: 'b.obj',
      options: { handle: [{ vertex: 3, target: [0, 1, 0.5], softness: 2 }], ridge: 0.01 },
    };
    const { checked } = await checkRequest(JSON.parse(JSON.stringify(request)));
    expect(checked).toMatchObject({ inputs: request.inputs, output: 'b.obj', options: request.options });
  });
});
