/** A request in JSON as a schema, made from a command's table. */
import * as z from 'zod/mini';
import { COMMANDS, type CommandName } from '../commands.ts';
import { text } from './kinds.ts';
import { PARTS } from './schema-parts.ts';
import type { Option, Table } from './table.ts';

export function requestSchema(command: CommandName, { inputs, output, options }: Table): z.ZodMiniType {
  const least = inputs.filter(({ optional }) => !optional).length;
  const most = inputs.some(({ many }) => many) ? Number.MAX_SAFE_INTEGER : inputs.length;
  return z.strictObject({
    command: z.literal(command),
    inputs: z.array(text.schema(PARTS)).check(z.minLength(least), z.maxLength(most), z.describe(inputHelp(inputs))),
    ...(output && { output: optionSchema(output) }),
    options: z.prefault(
      z.strictObject(Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionSchema(option)]))),
      {},
    ),
  });
}

/**
 * Describes the requests of a command to other programs, as JSON Schema (draft 2020-12).
 *
 * @example
 * {@includeCode ../../examples/requests.ts}
 */
export async function requestJsonSchema(command: CommandName): Promise<object> {
  return z.toJSONSchema(requestSchema(command, await COMMANDS[command].table()), { io: 'input' });
}

function optionSchema({
  kind,
  help,
  otherwise,
  required,
  default: standard,
}: Omit<Option, 'required'> & { required?: boolean }) {
  const described = kind.schema(PARTS).check(z.describe(otherwise ? `${help} (default: ${otherwise})` : help));
  if (standard !== undefined) return z._default(described, standard as never);
  return required ? described : z.optional(described);
}

function inputHelp(inputs: Table['inputs']): string {
  return inputs.map(({ name, help }) => `${name}: ${help}`).join('; ');
}
