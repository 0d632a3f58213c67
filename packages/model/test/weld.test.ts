import { describe, expect, it } from 'vitest';
import { InputError } from '../src/errors.ts';
import { MATERIAL_DEFAULTS } from '../src/material.ts';
import { type MeshSequence, validateMeshSequence } from '../src/mesh-sequence.ts';
import type { Poser } from '../src/poser.ts';
import { IDENTITY_TRANSFORM, type Rig, validateRig } from '../src/rig.ts';
import { unweldPoser, unweldRig, weldRig, weldSequence } from '../src/weld.ts';

/** A square split along its diagonal: vertices 3 and 4 repeat 1 and 2; the corners are 0, 1, 2, 5. */
const positions = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
];
const split: MeshSequence = {
  name: 'square',
  rest: {
    name: 'square',
    positions: Float32Array.from(positions.flat()),
    triangles: new Uint32Array([0, 1, 2, 3, 5, 4]),
    uvs: { size: 2, values: new Float32Array(12) },
    parts: [{ name: 'all', firstTriangle: 0, triangleCount: 2, material: 0 }],
    materials: [MATERIAL_DEFAULTS],
  },
  frames: Float32Array.from([...positions.flat(), ...positions.flat().map((x) => 2 * x + 1)]),
  times: new Float64Array([0, 1]),
};

describe('weldSequence', () => {
  it('gives the sequence itself where nothing coincides', () => {
    const whole: MeshSequence = {
      ...split,
      rest: { name: '', positions: split.rest.positions.slice(0, 9), triangles: new Uint32Array([0, 1, 2]) },
      frames: split.frames.slice(0, 9),
      times: new Float64Array(1),
    };
    const weld = weldSequence(whole);
    expect(weld.sequence).toBe(whole);
    expect([...weld.map]).toEqual([0, 1, 2]);
  });

  it('merges what coincides in every frame, in order of first appearance', () => {
    const { sequence, map } = weldSequence(split);
    expect([...map]).toEqual([0, 1, 2, 1, 2, 3]);
    expect([...sequence.rest.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
    expect([...sequence.rest.triangles]).toEqual([0, 1, 2, 1, 3, 2]);
    expect([...sequence.frames.subarray(12)]).toEqual([1, 1, 1, 3, 1, 1, 1, 3, 1, 3, 3, 1]);
    expect(sequence.times).toBe(split.times);
    validateMeshSequence(sequence);
  });

  it('keeps apart what parts in one frame only', () => {
    const frames = split.frames.slice();
    frames[18 + 3 * 4] += 1e-6; // vertex 4 leaves vertex 2 in the second frame
    expect([...weldSequence({ ...split, frames }).map]).toEqual([0, 1, 2, 1, 3, 4]);
  });

  it('keeps apart what differs at rest only', () => {
    const rest = { ...split.rest, positions: split.rest.positions.slice() };
    rest.positions[3 * 3 + 2] = 0.5;
    expect([...weldSequence({ ...split, rest }).map]).toEqual([0, 1, 2, 3, 2, 4]);
  });

  it('takes −0 for 0', () => {
    const frames = split.frames.map((x) => x);
    frames[3 * 3 + 1] = -0;
    expect([...weldSequence({ ...split, frames }).map]).toEqual([0, 1, 2, 1, 2, 3]);
  });

  it('leaves out triangles that collapse', () => {
    const rest = { ...split.rest, triangles: new Uint32Array([1, 3, 0, 0, 1, 2]) };
    expect([...weldSequence({ ...split, rest }).sequence.rest.triangles]).toEqual([0, 1, 2]);
  });

  it('welds a mesh that rests in one point, quickly', () => {
    const n = 40_000;
    const frames = new Float32Array(6 * n);
    for (let i = 0; i < n; i++) frames[3 * i] = i >> 1; // pairs part from each other in the first frame
    const collapsed: MeshSequence = {
      name: '',
      rest: { name: '', positions: new Float32Array(3 * n), triangles: new Uint32Array() },
      frames,
      times: new Float64Array([0, 1]),
    };
    const { sequence } = weldSequence(collapsed);
    expect(sequence.rest.positions).toHaveLength((3 * n) / 2);
  });

  it('takes a mesh without vertices', () => {
    const empty: MeshSequence = {
      name: '',
      rest: { name: '', positions: new Float32Array(), triangles: new Uint32Array() },
      frames: new Float32Array(),
      times: new Float64Array(1),
    };
    expect(weldSequence(empty).map).toHaveLength(0);
  });
});

describe('weldRig', () => {
  const bones = [0, 1].map((j) => ({ name: `bone ${j}`, parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }));
  const rig: Rig = {
    name: 'given',
    // The rig's own rest pose, a little beside the sequence's.
    mesh: { ...split.rest, positions: split.rest.positions.map((x, k) => x + 0.25 * k) },
    bones,
    // Vertices 3 and 4, which coincide with 1 and 2, have other weights.
    weights: {
      slots: 2,
      bones: new Uint16Array([0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0]),
      weights: new Float32Array([0.5, 0.5, 0.75, 0.25, 1, 0, 0.625, 0.375, 0.875, 0.125, 1, 0]),
    },
  };

  it('takes position and weights of the first vertex of each weld', () => {
    const weld = weldSequence(split);
    const welded = weldRig(rig, weld);
    validateRig(welded);
    expect([...welded.weights.weights]).toEqual([0.5, 0.5, 0.75, 0.25, 1, 0, 1, 0]);
    expect([...welded.weights.bones]).toEqual([0, 1, 0, 1, 1, 0, 0, 0]);
    expect([...welded.mesh.positions.subarray(3, 6)]).toEqual([...rig.mesh.positions.subarray(3, 6)]);
    expect(welded.mesh.triangles).toBe(weld.sequence.rest.triangles);
    expect(welded.mesh.uvs).toBeUndefined();
    expect(welded.bones).toBe(bones);
  });

  it('is the rig itself where nothing coincides, and comes back from unweldRig', () => {
    const apart = { ...split, frames: split.frames.map((x, k) => x + k) };
    expect(weldRig(rig, weldSequence(apart))).toBe(rig);
    const weld = weldSequence(split);
    const once = weldRig(rig, weld);
    expect(weldRig(unweldRig(once, weld.map, split.rest), weld)).toEqual(once);
  });

  it('takes the vertices in the order of the weld, where nothing coincides too', () => {
    const apart = { ...split, frames: Float32Array.from(split.frames, (value, k) => value + k) };
    const weld = weldSequence(apart);
    const back = Uint32Array.from({ length: 6 }, (_, k) => 5 - k);
    const turned = weldRig(rig, { ...weld, map: back, first: back });
    expect([...turned.mesh.positions.subarray(0, 3)]).toEqual([...rig.mesh.positions.subarray(15, 18)]);
    const { slots, weights } = rig.weights;
    expect([...turned.weights.weights.subarray(0, slots)]).toEqual([...weights.subarray(5 * slots, 6 * slots)]);
  });

  it('refuses a rig of another mesh', () => {
    const other = { ...split, rest: { ...split.rest, positions: new Float32Array(21) }, frames: new Float32Array(42) };
    expect(() => weldRig(rig, weldSequence(other))).toThrow(InputError);
  });
});

describe('unweldRig', () => {
  it('gives weights and corrected positions back to the vertices of the file, and keeps its look', () => {
    const { sequence, map } = weldSequence(split);
    const corrected = sequence.rest.positions.map((x) => x + 0.125);
    const welded: Rig = {
      name: 'fit',
      mesh: { ...sequence.rest, positions: corrected },
      bones: [0, 1].map((j) => ({ name: `bone ${j}`, parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) })),
      weights: {
        slots: 2,
        bones: new Uint16Array([0, 1, 0, 1, 1, 0, 1, 0]),
        weights: new Float32Array([0.5, 0.5, 0.75, 0.25, 1, 0, 0.625, 0.375]),
      },
    };
    const rig = unweldRig(welded, map, split.rest);
    validateRig(rig);
    expect([...rig.weights.weights.subarray(6, 8)]).toEqual([0.75, 0.25]); // vertex 3 is welded vertex 1
    expect([...rig.weights.bones.subarray(8, 10)]).toEqual([1, 0]); // vertex 4 is welded vertex 2
    expect([...rig.mesh.positions.subarray(15, 18)]).toEqual([1.125, 1.125, 0.125]);
    expect(rig.mesh.uvs).toBe(split.rest.uvs);
    expect(rig.mesh.triangles).toBe(split.rest.triangles);
    expect(rig.bones).toBe(welded.bones);
  });

  it('takes along what a poser keeps per vertex', () => {
    const { sequence, map } = weldSequence(split);
    const welded: Rig = {
      name: 'fit',
      mesh: sequence.rest,
      bones: [{ name: 'bone', parent: -1, rest: Float64Array.from(IDENTITY_TRANSFORM) }],
      weights: { slots: 1, bones: new Uint16Array(4), weights: new Float32Array(4).fill(1) },
    };
    const poser = {
      rig: welded,
      vertexProxies: Uint32Array.of(7, 8, 9, 10),
      exampleDetails: [new Float32Array(12).map((_, k) => k)],
    } as unknown as Poser;
    const back = unweldPoser(poser, map, split.rest);
    expect([...back.vertexProxies]).toEqual([7, 8, 9, 8, 9, 10]);
    expect([...back.exampleDetails[0].subarray(9, 15)]).toEqual([3, 4, 5, 6, 7, 8]); // vertices 3 and 4 are 1 and 2
    expect(back.rig.mesh.triangles).toBe(split.rest.triangles);
  });
});
