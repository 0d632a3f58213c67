/** The curves of an animation at other moments; what is not a curve of a node stays as it is. */
import { isObject, type JsonObject, objectsOf } from '../json-shape.ts';
import { sampleChannel } from '../sample-channel.ts';
import type { GltfAnimation } from '../scene.ts';

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;

/** Stores an array and gives the number of its accessor. */
export type AddArray = (values: Float32Array, type: string, size: number, bounds?: JsonObject) => number;

/**
 * @param json  the animation as the file has it
 * @param read  the same as it was read
 * @param from  seconds at which it is sampled, rising, by its own clock
 */
export function resample(json: JsonObject, read: GltfAnimation, from: ArrayLike<number>, add: AddArray): JsonObject {
  const stored = objectsOf(json, 'samplers');
  const samplers: JsonObject[] = [];
  const times = Float32Array.from(from, (time) => time - from[0]);
  const bounds = { min: [times[0]], max: [times[times.length - 1]] };
  const input = add(times, 'SCALAR', 1, bounds);
  const channels = objectsOf(json, 'channels').map((channel): JsonObject => {
    const target = isObject(channel.target) ? channel.target : {};
    const own = read.channels.find(({ node, path }) => node === target.node && path === target.path);
    if (!own) samplers.push(stored[channel.sampler as number]);
    else {
      const values = new Float32Array(times.length * own.size);
      const value = new Float64Array(own.size);
      for (let t = 0; t < times.length; t++) values.set(sampleChannel(own, from[t], value), t * own.size);
      const type = TYPES[own.path];
      const output = add(values, type, own.path === 'weights' ? 1 : own.size);
      samplers.push({ input, output, ...(own.interpolation === 'STEP' && { interpolation: 'STEP' }) });
    }
    return { ...channel, sampler: samplers.length - 1 };
  });
  return { ...json, samplers, channels };
}
