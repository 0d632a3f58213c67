/** Adds examples to a poser: shapes that were found by dragging are learnt from as those that it began with. */
import {
  exampleCount,
  type MeshSequence,
  type Poser,
  poseAt,
  type RunContext,
  regionCount,
  resolveOptions,
  TRANSFORM_SIZE,
  UsageError,
} from '@pelt/model';
import { deformLinear } from '../../shared/blending/linear.ts';
import { EXTEND_POSER_DEFAULTS, type ExtendPoserOptions } from '../options.ts';
import { buildPoser } from './build-poser.ts';

/** A further example: the controls, and the surface where it is more than they make. */
export interface AddedExample {
  readonly name: string;
  /** m × 12, rest → pose */
  readonly transforms: Float64Array;
  /** n × 3; absent: what the controls make of the rest pose */
  readonly positions?: Float32Array;
}

const MIRRORED = ' mirrored';

/**
 * Adds examples to a poser, such as poses that handles were dragged to. Controls and weights stay; proxies, regions and
 * mirror images are made anew of all examples.
 *
 * @param data  a poser, and what is added to it
 * @example
 * {@includeCode ../../../examples/extend-poser.ts}
 */
export function extendPoser(
  { poser, added }: { readonly poser: Poser; readonly added: readonly AddedExample[] },
  options?: Partial<ExtendPoserOptions>,
  run?: RunContext,
): Poser {
  const { proxies } = resolveOptions('extendPoser', EXTEND_POSER_DEFAULTS, options);
  const { rig, exampleNames, exampleDetails } = poser;
  const E = exampleCount(poser);
  const half = E / 2;
  const mirror = half > 0 && exampleNames.every((name, e) => e < half || name === exampleNames[e - half] + MIRRORED);
  const own = exampleNames.slice(0, mirror ? half : E);
  const names = [...own, ...added.map(({ name }) => name)];
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined) throw new UsageError(`extendPoser: two examples are called '${twice}'; rename one of them`);
  const size = TRANSFORM_SIZE * rig.bones.length;
  const transforms = new Float64Array(names.length * size);
  transforms.set(poser.exampleTransforms.subarray(0, own.length * size));
  added.forEach((example, k) => {
    transforms.set(example.transforms, (own.length + k) * size);
  });
  const clip = { name: poser.name, times: Float64Array.from(names.keys()), transforms };
  const details = exampleDetails.length > 0;
  const sequence = (): MeshSequence => {
    const n3 = rig.mesh.positions.length;
    const frames = new Float32Array(names.length * n3);
    names.forEach((_, e) => {
      const given = added[e - own.length]?.positions;
      const rest = rig.mesh.positions.map((value, k) => value + (e < own.length ? exampleDetails[e][k] : 0));
      const out = frames.subarray(e * n3, (e + 1) * n3);
      if (given) out.set(given);
      else deformLinear(rest, rig.weights, poseAt(clip, e, rig.bones.length).transforms, out);
    });
    return { name: poser.name, rest: rig.mesh, times: clip.times, frames };
  };
  const data = { rig, clip, ...(details && { examples: sequence() }) };
  return buildPoser(data, { names, mirror, details, regions: regionCount(poser), proxies }, run);
}
