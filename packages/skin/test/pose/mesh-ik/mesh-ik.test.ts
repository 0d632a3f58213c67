import { openNumerics } from '@pelt/math';
import { frameAt, gatherVertices, UsageError } from '@pelt/model';
import { extremities } from '@pelt/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createMeshIk } from '../../../src/pose/mesh-ik/mesh-ik.ts';
import { createPoseSession } from '../../../src/pose/runtime/pose-session.ts';
import { buildPoser } from '../../../src/pose/training/build-poser.ts';
import { withSeams } from '../../seams.ts';
import { creatureExamples, distance, pointOf } from '../scenes.ts';

const { rig, clip, sequence, walk } = creatureExamples(6);
const rest = sequence.rest.positions;
const E = sequence.times.length;
const tips = extremities(rest, 5);
const handlesOn = (x: ArrayLike<number>) => tips.map((vertex) => ({ vertex, target: pointOf(x, vertex) }));

const numerics = await openNumerics();
afterAll(() => numerics.close());

describe('full MeshIK', () => {
  it('begins at rest', () => {
    const session = createMeshIk(sequence, {}, { numerics });
    expect(distance(session.positions(new Float32Array(rest.length)), rest)).toBeLessThan(1e-6);
    session.dispose();
  });

  it('gives every example back from its blend', () => {
    const session = createMeshIk(sequence, {}, { numerics });
    for (let e = 0; e < E; e++) {
      session.setBlend(Float64Array.from({ length: E }, (_, k) => (k === e ? 1 : 0)));
      const found = session.positions(new Float32Array(rest.length));
      const truth = frameAt(sequence, e);
      const shift = [0, 1, 2].map(
        (c) => truth.reduce((sum, value, k) => sum + (k % 3 === c ? value - found[k] : 0), 0) / (rest.length / 3),
      );
      const apart = distance(
        found.map((value, k) => value + shift[k % 3]),
        truth,
      );
      expect(apart).toBeLessThan(1e-3);
    }
    session.dispose();
  });

  it('meets its handles, lowers the cost in every iteration and rests', () => {
    const session = createMeshIk(sequence, { pull: 10 }, { numerics });
    session.setHandles(handlesOn(frameAt(walk.sequence, 9)));
    let cost = session.state.cost;
    while (!session.state.atRest) {
      session.iterate();
      expect(session.state.cost).toBeLessThanOrEqual(cost);
      cost = session.state.cost;
    }
    const found = session.positions(new Float32Array(rest.length));
    for (const { vertex, target } of handlesOn(frameAt(walk.sequence, 9))) {
      expect(distance(pointOf(found, vertex), target)).toBeLessThan(1e-4);
    }
    session.dispose();
  });

  it('finds nearly the pose that the reduced model finds', () => {
    const truth = frameAt(walk.sequence, 9);
    const full = createMeshIk(sequence, {}, { numerics });
    full.setHandles(handlesOn(truth));
    full.step();
    const reduced = createPoseSession(buildPoser({ rig, clip }), {}, { numerics });
    reduced.setHandles(handlesOn(truth));
    reduced.step();
    const [a, b] = [full, reduced].map((session) => session.positions(new Float32Array(rest.length)));
    expect(distance(a, b)).toBeLessThan(0.6 * distance(rest, truth));
    full.dispose();
    reduced.dispose();
  });

  it('welds seams: split vertices stay together', () => {
    const seams = withSeams({ rig, clip, sequence });
    const map = Uint32Array.from({ length: (2 * rest.length) / 3 }, (_, k) => k >> 1);
    const [whole, split] = [sequence, seams.sequence].map((examples, k) => {
      const session = createMeshIk(examples, {}, { numerics });
      const vertices = [0, (1 + k) * 450];
      session.setHandles(vertices.map((vertex, c) => ({ vertex, target: [0.1 * c, 0.5, 0.2] })));
      session.step();
      const posed = session.positions(new Float32Array(examples.rest.positions.length));
      session.dispose();
      return posed;
    });
    expect(split).toEqual(gatherVertices(whole, 3, map));
  });

  it('refuses what is not there', () => {
    const session = createMeshIk(sequence, {}, { numerics });
    expect(() => session.setHandles([{ vertex: rest.length, target: [0, 0, 0] }])).toThrow(UsageError);
    expect(() => session.setBlend([])).toThrow(UsageError);
    session.dispose();
  });
});
