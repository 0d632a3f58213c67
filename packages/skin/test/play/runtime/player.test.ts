import { openNumerics } from '@pelt/math';
import { type Character, type CharacterSkin, IDENTITY_TRANSFORM, poseAt, type Rig } from '@pelt/model';
import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { eigenSkin } from '../../../src/decompose/eigenskin.ts';
import { createReducedDeformer } from '../../../src/envelope/runtime/reduced-deformer.ts';
import { reduceEnvelope } from '../../../src/envelope/training/reduce-envelope.ts';
import { trainEnvelope } from '../../../src/envelope/training/train-envelope.ts';
import { playerOf } from '../../../src/play/runtime/player.ts';
import { reduceTwoLayer } from '../../../src/reduce/two-layer/reduce-two-layer.ts';
import { deformDualQuaternion, deformLinear } from '../../../src/shared/blending/index.ts';

const numerics = await openNumerics({ threads: 1 });
const scene = elbowScene({ frames: 5, rings: 15, sides: 8 });
const { rig, clip, sequence } = scene;
const m = rig.bones.length;
const size = rig.mesh.positions.length;
const restPose = Float64Array.from(rig.bones.flatMap(() => [...IDENTITY_TRANSFORM]));

const learnt = (() => {
  const options = { frames: [0, 2, 4], correction: true, pull: 0, heldShare: 0, fallback: false };
  const { envelope } = trainEnvelope(scene, options, { numerics });
  const poses = [0, 2, 4].map((t) => poseAt(clip, t, m).transforms);
  return reduceEnvelope({ envelope, poses }, {}, { numerics });
})();
const fields = eigenSkin({ sequence, rig, clip }, { rank: 2 }, { numerics });

const bump = Float32Array.from({ length: size }, (_, k) => 0.01 * ((k * 7) % 5));
const plainMorph = { name: 'bump', object: 0, deltas: bump };

function character(skin: CharacterSkin, own: Rig = rig, morphs: Character['morphs'] = [plainMorph]): Character {
  return { name: 'arm', mesh: own.mesh, joints: own.bones, skin, morphs, clips: [] };
}

const eigenskin = character(
  {
    kind: 'eigenskin',
    weights: rig.weights,
    examples: { poses: clip.transforms, amounts: fields.amounts },
    fields: Int32Array.of(0, 1, -1),
  },
  rig,
  [...fields.deltas.map((deltas, k) => ({ name: `field ${k}`, object: 0, deltas })), plainMorph],
);

const { rig: _, ...envelope } = learnt;
const CHARACTERS: Record<CharacterSkin['kind'], Character> = {
  linear: character({ kind: 'linear', weights: rig.weights }),
  'dual-quaternion': character({ kind: 'dual-quaternion', weights: rig.weights }),
  'two-layer': character({
    kind: 'two-layer',
    layers: reduceTwoLayer({ rig, clips: [clip], examples: [sequence] }, { virtual: 6 }, { numerics }).skin,
  }),
  envelope: character({ kind: 'envelope', weights: learnt.rig.weights, envelope }, learnt.rig),
  eigenskin,
};

/** v = Σ_r a_r Σ_j D_jr M_j p, term by term. */
function inTwoLayers(pose: Float64Array): Float32Array {
  const { skin, mesh } = CHARACTERS['two-layer'];
  if (skin.kind !== 'two-layer') throw new Error('another skin');
  const { masters, vertices } = skin.layers;
  return Float32Array.from({ length: size }, (_, k) => {
    const [i, row] = [Math.floor(k / 3), 4 * (k % 3)];
    let sum = 0;
    for (let s = i * vertices.slots; s < (i + 1) * vertices.slots; s++) {
      const r = vertices.bones[s] * masters.slots;
      for (let d = r; d < r + masters.slots; d++) {
        const at = 12 * masters.bones[d] + row;
        const moved =
          pose[at + 3] + [0, 1, 2].reduce((total, c) => total + pose[at + c] * mesh.positions[3 * i + c], 0);
        sum += vertices.weights[s] * masters.weights[d] * moved;
      }
    }
    return sum;
  });
}

const apart = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);

describe('playerOf', () => {
  it.each(Object.keys(CHARACTERS) as CharacterSkin['kind'][])('leaves a %s skin at rest where it is', (kind) => {
    const player = playerOf(CHARACTERS[kind]);
    const weights = new Float32Array(player.character.morphs.length);
    const { positions } = player.character.mesh;
    const posed = player.positions(restPose, weights, new Float32Array(positions.length));
    expect(apart(posed, positions)).toBeLessThan(kind === 'envelope' ? 1e-3 : 1e-6);
  });

  it('plays every kind by its own definition', () => {
    const pose = poseAt(clip, 3, m).transforms;
    const play = (kind: CharacterSkin['kind']) =>
      playerOf(CHARACTERS[kind]).positions(pose, undefined, new Float32Array(size));
    const plain = deformLinear(rig.mesh.positions, rig.weights, pose, new Float32Array(size));
    expect(apart(play('linear'), plain)).toBe(0);
    const turned = deformDualQuaternion(rig.mesh.positions, rig.weights, pose, new Float32Array(size));
    expect(apart(play('dual-quaternion'), turned)).toBe(0);
    expect(apart(turned, plain)).toBeGreaterThan(1e-2);
    expect(apart(play('two-layer'), inTwoLayers(pose))).toBeLessThan(1e-6);
    const kernel = createReducedDeformer(learnt, {}, { numerics });
    // The kernel adds in float32 what drives a proxy.
    expect(apart(play('envelope'), kernel.deform(pose, new Float32Array(size)))).toBeLessThan(1e-4);
    kernel.dispose();
    // In a frame that it was made from EigenSkin has the amounts of that frame.
    const posed = new Float32Array(3);
    playerOf(eigenskin).morphsAt(pose, posed);
    expect(apart(posed.subarray(0, 2), fields.amounts.subarray(6, 8))).toBeLessThan(1e-3);
    expect(posed[2]).toBe(0);
  });

  it('adds morph targets before the joints blend, with every skin', () => {
    const pose = poseAt(clip, 4, m).transforms;
    for (const [kind, own] of Object.entries(CHARACTERS)) {
      const R = own.morphs.length;
      const weights = new Float32Array(R);
      weights[R - 1] = 0.5;
      const moved = {
        ...own,
        morphs: [],
        mesh: { ...own.mesh, positions: own.mesh.positions.map((value, k) => value + 0.5 * bump[k]) },
        ...(own.skin.kind === 'eigenskin' && { skin: { kind: 'linear', weights: own.skin.weights } as const }),
      };
      const expected = playerOf(moved).positions(pose, undefined, new Float32Array(size));
      const posed = playerOf(own).positions(pose, weights, new Float32Array(size));
      expect(apart(posed, expected), kind).toBeLessThan(1e-6);
    }
  });

  it('gives unit normals, and does not depend on what was played before', () => {
    const player = playerOf(CHARACTERS.envelope);
    const once = player.positions(poseAt(clip, 2, m).transforms, undefined, new Float32Array(size));
    player.positions(poseAt(clip, 4, m).transforms, Float32Array.of(1), new Float32Array(size));
    const again = player.positions(poseAt(clip, 2, m).transforms, undefined, new Float32Array(size));
    expect(again).toEqual(once);
    const normals = player.normals(once, new Float32Array(size));
    for (let k = 0; k < size; k += 3) expect(Math.hypot(...normals.subarray(k, k + 3))).toBeCloseTo(1, 5);
    expect(player.normals(new Float32Array(size), new Float32Array(size)).every((value) => value === 0)).toBe(true);
  });

  it('refuses poses and weights of another character', () => {
    const player = playerOf(CHARACTERS.linear);
    const out = new Float32Array(size);
    expect(() => player.positions(restPose.subarray(12), undefined, out)).toThrow('are not a pose of');
    expect(() => player.positions(restPose, [1, 2], out)).toThrow('2 weights for 1 morph targets');
    const wrong = { ...eigenskin, skin: { ...eigenskin.skin, fields: Int32Array.of(0, 2, -1) } } as Character;
    expect(() => playerOf(wrong)).toThrow('no displacement field 2, there are 2');
  });
});
