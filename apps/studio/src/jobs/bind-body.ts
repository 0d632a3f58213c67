/** Bodies: closed surfaces filled with tetrahedra, held by bones. */
import { readCharacter, readGltf, readRig, writeSkinnedGlb } from '@pelt/io';
import { openNumerics } from '@pelt/math';
import {
  type Bone,
  type Clip,
  linearRigOf,
  type Mesh,
  NO_VERTEX,
  type RunContext,
  type SkinWeights,
  stageOf,
} from '@pelt/model';
import { tetrahedralize } from '@pelt/skin/tetrahedra';
import type { TetrahedralizeOptions } from '@pelt/skin/tetrahedra/options';
import { bindVolume, type VolumeBinding } from '@pelt/skin/volume';
import type { PlacedJoint } from '../store/placed-skeleton.ts';

/** A body, and the rig that it was made of. */
export interface BoundBody {
  readonly binding: VolumeBinding;
  /** The linear rig with all of its parts as one mesh, in the order of the body's surface. */
  readonly glb: Uint8Array<ArrayBuffer>;
}

/**
 * Constraints move by the rig's own weights.
 *
 * @param given        a character of any number of parts, with any skin
 * @param constraints  vertices of the rig that hold to the bones; undefined: rings that are found by themselves
 */
export async function bindBody(
  given: Uint8Array<ArrayBuffer>,
  constraints: Uint32Array | undefined,
  threads: number,
  context: RunContext,
  solid: Partial<TetrahedralizeOptions> = {},
): Promise<BoundBody> {
  const whole = linearRigOf(readCharacter(await readGltf(given)));
  const { name, positions, triangles, normals } = whole.mesh;
  const { bytes: glb } = await writeSkinnedGlb({
    rig: { ...whole, mesh: { name, positions, triangles, normals } },
    clips: [],
  });
  const { rig } = readRig(await readGltf(glb));
  return { binding: await bind(rig, constraints, threads, context, solid), glb };
}

/**
 * A rig of a closed mesh and joints that were placed in it, with the weights of heat that spreads from its bones through
 * its inside.
 *
 * @param times   of a clip that keeps it still
 * @param motion  of the same joints, behind that clip
 */
export async function rigBody(
  mesh: Mesh,
  joints: readonly PlacedJoint[],
  times: Float64Array,
  threads: number,
  context: RunContext,
  motion?: Clip,
): Promise<Uint8Array<ArrayBuffer>> {
  const bones = joints.map(({ name, parent, at: [x, y, z] }) => ({
    name,
    parent,
    rest: Float64Array.from([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]),
  }));
  const { body, skin } = await bind({ mesh, bones }, undefined, threads, context);
  const weights = gatherWeights(skin, body.surface);
  const still = Array<number[]>(times.length * bones.length).fill([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  const clip = { name: 'still', times, transforms: Float64Array.from(still.flat()) };
  return (
    await writeSkinnedGlb({
      rig: { name: mesh.name, mesh, bones, weights },
      clips: [clip, ...(motion ? [motion] : [])],
    })
  ).bytes;
}

interface Bound {
  readonly mesh: Mesh;
  readonly bones: readonly Bone[];
  /** Absent: such as are found. */
  readonly weights?: SkinWeights;
}

async function bind(
  { mesh, bones, weights }: Bound,
  constraints: Uint32Array | undefined,
  threads: number,
  context: RunContext,
  solid: Partial<TetrahedralizeOptions> = {},
): Promise<VolumeBinding> {
  const { mesh: body } = tetrahedralize(mesh, solid, stageOf(context, 0, 0.7));
  const numerics = await openNumerics({ threads });
  try {
    const run = { ...stageOf(context, 0.7, 1), numerics };
    const { skin, fixed, yielding } = bindVolume({ body, bones, weights }, { constraints }, run);
    return { body, skin, fixed, yielding };
  } finally {
    numerics.close();
  }
}

/** Weights of the surface's vertices: those of the body's that carry them. A vertex that none carries goes with the root. */
function gatherWeights({ slots, bones, weights }: SkinWeights, surface: Uint32Array): SkinWeights {
  const out = {
    slots,
    bones: new Uint16Array(slots * surface.length),
    weights: new Float32Array(slots * surface.length),
  };
  surface.forEach((v, i) => {
    if (v === NO_VERTEX) {
      out.weights[slots * i] = 1;
      return;
    }
    out.bones.set(bones.subarray(slots * v, slots * (v + 1)), slots * i);
    out.weights.set(weights.subarray(slots * v, slots * (v + 1)), slots * i);
  });
  return out;
}
