import { InputError } from '@pelt/model';
import type { WarningTally } from '../warning-tally.ts';
import type { AccessorSet } from './accessor-set.ts';
import { childOf, indexOf, type JsonObject, objectsOf, optionalIndexOf, textOf } from './json-shape.ts';
import { plainTarget, pointerOf } from './pointer-target.ts';
import { ZERO_ROTATION } from './read-nodes.ts';
import type { ChannelPath, GltfAnimation, GltfChannel, GltfNode } from './scene.ts';

const PATH_SIZES: Readonly<Record<string, number>> = { translation: 3, rotation: 4, scale: 3, weights: 1 };
const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'];

/** @param targetCounts  morph targets of each node's mesh */
export function readAnimations(
  json: JsonObject,
  accessors: AccessorSet,
  nodes: readonly GltfNode[],
  targetCounts: readonly number[],
  warnings: WarningTally,
): GltfAnimation[] {
  return objectsOf(json, 'animations').map((animation, a) => {
    const where = `animations[${a}]`;
    const samplers = objectsOf(animation, 'samplers', where);
    let pointerKeys = 0;
    const channels = objectsOf(animation, 'channels', where).flatMap((channel, c): GltfChannel[] => {
      const at = `${where}.channels[${c}]`;
      const target = plainTarget(childOf(channel, 'target', at));
      const path = textOf(target, 'path');
      if (pointerOf(target) !== undefined) {
        warnings.add('curves of materials, cameras and the like are not played');
        pointerKeys += keysOf(samplers[indexOf(channel, 'sampler', at, samplers.length)], at, accessors);
        return [];
      }
      if (!Object.hasOwn(PATH_SIZES, path)) {
        warnings.add(`animations of '${path}' are left out`);
        return [];
      }
      const node = optionalIndexOf(target, 'node', `${at}.target`, nodes.length);
      if (node < 0) return [];
      const size = path === 'weights' ? targetCounts[node] : PATH_SIZES[path];
      if (size === 0) {
        warnings.add(`${at} animates morph targets of nodes[${node}], which has none`);
        return [];
      }
      if (path !== 'weights' && nodes[node].matrix) {
        warnings.add(`${at} animates nodes[${node}], which has a matrix; it stays where it is`);
        return [];
      }
      const s = indexOf(channel, 'sampler', at, samplers.length);
      const sampler = readSampler(samplers[s], `${where}.samplers[${s}]`, accessors, path, size, warnings);
      return [{ node, path: path as ChannelPath, size, ...sampler }];
    });
    const starts = channels.map(({ times }) => times[0]);
    const ends = channels.map(({ times }) => times[times.length - 1]);
    return {
      name: textOf(animation, 'name'),
      channels,
      start: channels.length > 0 ? smallest(starts) : 0,
      end: channels.length > 0 ? -smallest(ends.map((end) => -end)) : 0,
      ...(pointerKeys > 0 && { pointerKeys }),
    };
  });
}

/** Of a curve that is kept and not played. */
function keysOf(sampler: JsonObject, where: string, accessors: AccessorSet): number {
  const keys = accessors.count(indexOf(sampler, 'input', where, accessors.length));
  const output = indexOf(sampler, 'output', where, accessors.length);
  const numbers = accessors.raw(output).length;
  if (keys === 0 || numbers % keys !== 0) {
    throw new InputError(`${where}: ${keys} keys do not fit the ${numbers} numbers of accessors[${output}]`);
  }
  return keys;
}

function readSampler(
  sampler: JsonObject,
  where: string,
  accessors: AccessorSet,
  path: string,
  size: number,
  warnings: WarningTally,
): Pick<GltfChannel, 'interpolation' | 'times' | 'values'> {
  const interpolation = textOf(sampler, 'interpolation') || 'LINEAR';
  if (!INTERPOLATIONS.includes(interpolation)) {
    throw new InputError(`${where}.interpolation must be one of ${INTERPOLATIONS.join(', ')}`);
  }
  const times = accessors.floats(indexOf(sampler, 'input', where, accessors.length), `${where}.input`, [1]);
  for (let k = 0; k < times.length; k++) {
    if (times[k] < 0) throw new InputError(`${where}: key ${k} is at ${times[k]} s, before 0`);
    if (k > 0 && times[k] < times[k - 1]) {
      throw new InputError(`${where}: key ${k} at ${times[k]} s comes before the one at ${times[k - 1]} s`);
    }
    if (k > 0 && times[k] === times[k - 1]) warnings.add('of keys at the same time the last counts');
  }
  const output = indexOf(sampler, 'output', where, accessors.length);
  const values = accessors.floats(output, `${where}.output`, [PATH_SIZES[path]]);
  const expected = times.length * size * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (values.length !== expected) {
    throw new InputError(
      `${where}: ${times.length} keys need ${expected} numbers, accessors[${output}] has ${values.length}`,
    );
  }
  const type = interpolation as GltfChannel['interpolation'];
  return { interpolation: type, times, values: path === 'rotation' ? turning(values, type, warnings) : values };
}

/** Rotations with the identity in place of every zero quaternion. */
function turning(
  values: Float32Array,
  interpolation: GltfChannel['interpolation'],
  warnings: WarningTally,
): Float32Array {
  const [first, step] = interpolation === 'CUBICSPLINE' ? [4, 12] : [0, 4];
  let mended: Float32Array | undefined;
  for (let k = first; k < values.length; k += step) {
    if (values[k] !== 0 || values[k + 1] !== 0 || values[k + 2] !== 0 || values[k + 3] !== 0) continue;
    warnings.add(ZERO_ROTATION);
    // Another channel may share the accessor, so its array stays as it is.
    mended ??= values.slice();
    mended[k + 3] = 1;
  }
  return mended ?? values;
}

function smallest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value));
}
