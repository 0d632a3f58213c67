/** A small closed body, a rig that moves it, a capture file and its landmarks. */
import { writeBvh, writeObj, writeSkinnedGlb } from '@pelt/io';
import { type Clip, type Rig, type SkeletonMotion, type SkinWeights, uniformTimes } from '@pelt/model';
import { cylinder } from '@pelt/testkit';
import { type TestFiles, utf8 } from './workspace.ts';

export const FRAMES = 5;

export const body = cylinder({ sides: 10, length: 8, bones: 3 });

/** How much thicker the last example is about the joint that bends. */
export const SWELL = 0.3;

/** body.obj, character.glb, hanging.glb, torn.glb, walk.bvh, joints.json, rings.txt, and half.obj and bent.obj, sculpts of frames 3 and 5. */
export async function bodyFiles(): Promise<TestFiles> {
  const n = body.mesh.positions.length / 3;
  const rig: Rig = {
    name: 'character',
    mesh: body.mesh,
    bones: body.bones,
    // Each vertex goes with the bone that it lies along.
    weights: {
      slots: 1,
      bones: Uint16Array.from({ length: n }, (_, i) => Math.min(Math.floor((3 * body.mesh.positions[3 * i]) / 8), 2)),
      weights: new Float32Array(n).fill(1),
    },
  };
  const bends = Array.from({ length: FRAMES }, (_, t) => [...body.bent(15 * t)]);
  const clip: Clip = { name: 'bend', times: uniformTimes(FRAMES, 30), transforms: Float64Array.from(bends.flat()) };
  const places = { Root: [0, 0, 0], Middle: [8 / 3, 0, 0], End: [16 / 3, 0, 0] };
  return {
    'body.obj': writeObj(body.mesh)[0].bytes,
    'character.glb': (await writeSkinnedGlb({ rig, clips: [clip] })).bytes,
    'hanging.glb': (await writeSkinnedGlb({ rig: { ...rig, weights: onFirstBone(n) }, clips: [clip] })).bytes,
    'torn.glb': (await writeSkinnedGlb({ rig, clips: [torn()] })).bytes,
    'walk.bvh': writeBvh(walk()),
    'joints.json': utf8(JSON.stringify(places)),
    'rings.txt': utf8(body.middles.flat().join(' ')),
    'half.obj': writeObj({ ...body.mesh, positions: sculpt(30, 0.5 * SWELL) })[0].bytes,
    'bent.obj': writeObj({ ...body.mesh, positions: sculpt(60, SWELL) })[0].bytes,
  };
}

function onFirstBone(n: number): SkinWeights {
  return { slots: 1, bones: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
}

/** A clip whose outer bones fly apart. */
function torn(): Clip {
  const far = Array.from(body.bent(60), (value, k) => {
    const j = Math.floor(k / 12);
    if (k % 12 === 3) return value + 150 * (j - 1);
    return k % 12 === 7 ? value + (j === 1 ? 100 : -100) : value;
  });
  return { name: 'torn', times: uniformTimes(2, 30), transforms: Float64Array.from([...body.bent(0), ...far]) };
}

/** The body bent smoothly about its second joint and swollen there. */
export function sculpt(degrees: number, swell: number): Float32Array {
  const joint = 8 / 3;
  const angle = (degrees * Math.PI) / 180;
  return body.mesh.positions.map((_, k, rest) => {
    const i = k - (k % 3);
    const [along, y, z] = [rest[i] - joint, rest[i + 1], rest[i + 2]];
    const wide = 1 + swell * Math.exp(-2 * along * along);
    const turn = angle * Math.min(Math.max(0.5 + 0.25 * along, 0), 1);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    return [joint + c * along - s * wide * y, s * along + c * wide * y, wide * z][k % 3];
  });
}

/** The same three bones in a unit ten times larger, along y; the last turns. */
function walk(): SkeletonMotion {
  const S = 9;
  const rotations = new Float64Array(S * 12);
  const translations = new Float64Array(S * 9);
  for (let t = 0; t < S; t++) {
    const half = (4 * t * Math.PI) / 360;
    rotations.set([0, 0, 0, 1, 0, 0, 0, 1, Math.sin(half), 0, 0, Math.cos(half)], 12 * t);
    translations.set([0, 90, 0, 0, 80 / 3, 0, 0, 80 / 3, 0], 9 * t);
  }
  return {
    name: 'walk',
    joints: [
      { name: 'Root', parent: -1, offset: [0, 0, 0] },
      { name: 'Middle', parent: 0, offset: [0, 80 / 3, 0] },
      { name: 'End', parent: 1, offset: [0, 80 / 3, 0], tip: [0, 80 / 3, 0] },
    ],
    times: uniformTimes(S, 120),
    rotations,
    translations,
  };
}
