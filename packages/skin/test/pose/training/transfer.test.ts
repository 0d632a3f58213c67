import { openNumerics } from '@pelt/math';
import { frameAt, UsageError } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { matchControls, transferPoser } from '../../../src/pose/training/transfer.ts';
import { creatureExamples, distance, pointOf } from '../scenes.ts';

/** Two creatures of other connectivity; the second is also half as large again and has bones without the names. */
const small = creatureExamples(4, { detail: 0.06 });
const other = creatureExamples(4, { detail: 0.05 });
const SCALE = 1.5;
const big = {
  ...other.rig,
  mesh: { ...other.rig.mesh, positions: other.rig.mesh.positions.map((value) => SCALE * value) },
  bones: other.rig.bones.map((bone, j) => ({
    ...bone,
    name: `control ${j}`,
    rest: bone.rest.map((value, k) => (k % 4 === 3 ? SCALE * value : value)),
  })),
};
const E = small.clip.times.length;

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('a pose space on another character', () => {
  it('finds the corresponding controls by name, else by place', () => {
    const expected = Array.from(small.rig.bones.keys());
    expect(Array.from(matchControls(small.rig, other.rig))).toEqual(expected);
    expect(Array.from(matchControls(small.rig, big))).toEqual(expected);
  });

  it('gives the other character the examples, in its own proportions', () => {
    const poser = transferPoser({ source: buildPoser(small), rig: big }, {}, { numerics });
    const session = createPoseSession(poser, {}, { numerics });
    for (let e = 0; e < E; e++) {
      session.setBlend(Float64Array.from({ length: E }, (_, k) => (k === e ? 1 : 0)));
      const found = session.positions(new Float32Array(big.mesh.positions.length));
      const truth = frameAt(other.sequence, e).map((value) => SCALE * value);
      const n = truth.length / 3;
      const shift = [0, 1, 2].map(
        (c) => truth.reduce((sum, value, k) => sum + (k % 3 === c ? value - found[k] : 0), 0) / n,
      );
      const moved = distance(truth, big.mesh.positions);
      const apart = distance(
        found.map((value, k) => value + shift[k % 3]),
        truth,
      );
      expect(apart).toBeLessThan(0.3 * moved);
      expect(apart).toBeLessThan(0.01 * poser.size);
    }
  });

  it('is posed by handles like any other', () => {
    const poser = transferPoser({ source: buildPoser(small), rig: big }, {}, { numerics });
    const session = createPoseSession(poser, {}, { numerics });
    const truth = frameAt(other.walk.sequence, 6).map((value) => SCALE * value);
    const tips = extremities(big.mesh.positions, 5);
    session.setHandles(tips.map((vertex) => ({ vertex, target: pointOf(truth, vertex) })));
    expect(session.step().atRest).toBe(true);
    const found = session.positions(new Float32Array(truth.length));
    expect(distance(found, truth)).toBeLessThan(0.5 * distance(big.mesh.positions, truth));
  });

  it('refuses correspondences that do not fit', () => {
    const data = { source: buildPoser(small), rig: big };
    expect(() => transferPoser(data, { controls: Uint16Array.of(0) }, { numerics })).toThrow(UsageError);
    const controls = new Uint16Array(big.bones.length).fill(99);
    expect(() => transferPoser(data, { controls }, { numerics })).toThrow(UsageError);
  });
});
