/** Places of a skeleton's joints in a mesh: a JSON object of names and coordinates. */
import { InputError } from '@pelt/model';
import { readBytes } from './read-file.ts';

export function readLandmarks(path: string): Map<string, readonly [number, number, number]> {
  const form = `'${path}' is to be a JSON object of joints and places: { "LeftArm": [0.2, 1.4, 0], … }`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(readBytes(path)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputError(`${form}; it is no JSON: ${error.message}`, { cause: error });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new InputError(form);
  return new Map(
    Object.entries(parsed).map(([name, place]) => {
      const numbers: unknown[] = Array.isArray(place) ? place : [];
      const [x, y, z] = numbers;
      if (numbers.length !== 3 || !isNumber(x) || !isNumber(y) || !isNumber(z)) {
        throw new InputError(`${form}; '${name}' has not three finite numbers`);
      }
      return [name, [x, y, z] as const];
    }),
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
