/**
 * Curves that move no node (materials, cameras, lights; `KHR_animation_pointer`) pass through a packed file bit for bit.
 * What such a curve moves, and how much of that shows, is not known here, so that only keys go which change nothing: those
 * that are equal to both of their neighbours, and those after the end of the clip.
 */
import { type GltfDocument, type JsonObject, objectsOf, plainTarget, pointerOf } from '@pelt/io/internal';
import { UnsupportedError } from '@pelt/model';
import type { WrittenArray } from './accessor-writer.ts';
import { bytesOf } from './columns.ts';

export interface PointerCurve {
  /** As the file has it. */
  readonly target: JsonObject;
  readonly interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
  readonly times: Float32Array;
  readonly values: Omit<WrittenArray, 'purpose' | 'mode'>;
}

const TYPES = ['', 'SCALAR', 'VEC2', 'VEC3', 'VEC4'] as const;
const COMPONENTS = new Map<unknown, WrittenArray['componentType']>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);

/** @param end  of the clip; 0 where no node moves in it */
export function pointerCurves(animation: JsonObject, stored: GltfDocument['accessors'], end: number): PointerCurve[] {
  const samplers = objectsOf(animation, 'samplers');
  return objectsOf(animation, 'channels').flatMap(({ target, sampler }): PointerCurve[] => {
    const pointed = target as JsonObject;
    if (pointerOf(plainTarget(pointed)) === undefined) return [];
    const own = samplers[sampler as number] as { input: number; output: number; interpolation?: string };
    const interpolation = (own.interpolation ?? 'LINEAR') as PointerCurve['interpolation'];
    const times = stored.floats(own.input, 'input', [1]);
    const raw = stored.raw(own.output);
    const width = raw.length / times.length;
    const kept = interpolation === 'CUBICSPLINE' ? [...times.keys()] : neededKeys(times, raw, interpolation, end);
    const values = raw.slice(0, kept.length * width);
    kept.forEach((k, at) => {
      values.set(raw.subarray(k * width, (k + 1) * width), at * width);
    });
    const size = stored.size(own.output);
    if (!TYPES[size]) throw new UnsupportedError(`it cannot pack a curve of ${pointerOf(pointed)}; remove it first`);
    return [
      {
        target: pointed,
        interpolation,
        times: Float32Array.from(kept, (k) => times[k]),
        values: {
          bytes: bytesOf(values),
          stride: size * values.BYTES_PER_ELEMENT,
          componentType: COMPONENTS.get(values.constructor) as WrittenArray['componentType'],
          normalized: stored.normalized(own.output),
          type: TYPES[size] as WrittenArray['type'],
          count: values.length / size,
        },
      },
    ];
  });
}

function neededKeys(times: Float32Array, raw: ArrayLike<number>, interpolation: string, end: number): number[] {
  const width = raw.length / times.length;
  const same = (a: number, b: number) => {
    for (let c = 0; c < width; c++) if (raw[a * width + c] !== raw[b * width + c]) return false;
    return true;
  };
  const inside = [...times.keys()].filter((k) => k === 0 || end === 0 || times[k] <= end);
  return inside.filter((k, at) => {
    if (at === 0 || at === inside.length - 1) return true;
    return !(same(k, inside[at - 1]) && (interpolation === 'STEP' || same(k, inside[at + 1])));
  });
}
