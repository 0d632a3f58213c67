/** Handles that move over time, from JSON with one position for each frame, and `times` in seconds or `fps`. */
import { InputError, uniformTimes } from '@pelt/model';
import type { Handle } from '@pelt/skin/pose';
import * as z from 'zod/mini';
import type { Reader } from '../input/load-sequence.ts';
import { point, readJson } from '../input/read-json.ts';

export interface HandlePath {
  /** S seconds, increasing, from 0 */
  readonly times: Float64Array;
  /** S lists of handles */
  readonly frames: readonly (readonly Handle[])[];
}

const FORM = '{ "fps": 24, "handles": [{ "vertex": 12, "positions": [[x, y, z], …], "softness": 0 }] }';

const schema = z.object({
  fps: z._default(z.number().check(z.gt(0)), 24),
  times: z.optional(z.array(z.number())),
  handles: z
    .array(
      z.object({
        vertex: z.number(),
        positions: z.array(point).check(z.minLength(1)),
        softness: z._default(z.number(), 0),
      }),
    )
    .check(z.minLength(1)),
});

export function readHandlePath(file: string, reader: Pick<Reader, 'files'>): HandlePath {
  const { handles, fps, times } = readJson(file, reader, schema, FORM);
  const S = handles[0].positions.length;
  const odd = handles.findIndex(({ positions }) => positions.length !== S);
  if (odd >= 0) {
    const count = handles[odd].positions.length;
    throw new InputError(`'${file}': handles[${odd}] has ${count} positions, handles[0] has ${S}; give as many`);
  }
  if (times && (times.length !== S || times.some((time, t) => t > 0 && time <= times[t - 1]))) {
    throw new InputError(`'${file}': times must be ${S} rising numbers, one for each position`);
  }
  return {
    times: times ? Float64Array.from(times, (time) => time - times[0]) : uniformTimes(S, fps),
    frames: Array.from({ length: S }, (_, t) =>
      handles.map(({ vertex, softness, positions }) => ({ vertex, softness, target: positions[t] })),
    ),
  };
}
