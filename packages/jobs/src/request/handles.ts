/** Points of the skin on a command line, and how many controls a pose space has that is learnt from shapes. */
import { type Kind, numberIn, pointSchema } from './kinds.ts';

/** As many as the paper's four-legged models have. */
export const CONTROLS = 33;

/** A vertex and its target. */
export interface HandleValue {
  readonly vertex: number;
  readonly target: [number, number, number];
  readonly softness?: number | undefined;
}

export const handles: Kind<HandleValue[]> = {
  value: 'vertex=x,y,z',
  is: 'a vertex and its position, like 120=0.5,1,-0.25, with coordinates below 3.4e38',
  many: 'flags',
  schema: (z) =>
    z.array(
      z.strictObject({
        vertex: z.int().check(z.gte(0)),
        target: pointSchema(z),
        softness: z.optional(z.number().check(z.gte(0))),
      }),
    ),
  read: (word) => {
    const [, vertex, place, softness] = /^(\d+)=([^~]*)(?:~(.*))?$/.exec(word) ?? [];
    if (vertex === undefined) return word;
    const target = place.split(',').map(numberIn);
    if (target.length !== 3 || target.some((value) => typeof value === 'string')) return word;
    return { vertex: Number(vertex), target, ...(softness !== undefined && { softness: numberIn(softness) }) };
  },
};

export const softHandles: Kind<HandleValue[]> = {
  ...handles,
  value: 'vertex=x,y,z~s',
  is: 'a vertex, its position and a softness, like 120=0.5,1,-0.25~2, with coordinates below 3.4e38',
  read: (word) => (word.includes('~') ? handles.read?.(word) : word),
};
