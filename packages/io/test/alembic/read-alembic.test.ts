import { InputError, UnsupportedError, UsageError, validateMeshSequence } from '@pelt/model';
import { describe, expect, it } from 'vitest';
import { AlembicAnimation, openAlembic, readAlembicSequence } from '../../src/index.ts';
import {
  buildArchive,
  geomParam,
  meshObject,
  OP,
  openScene,
  readScene,
  TRIANGLE,
  translate,
  visibleProperty,
  xformObject,
} from './scene.ts';

/** A triangle whose points are all (x, x, x) in sample x. */
const moving = (samples: readonly number[], sampling = 1) =>
  meshObject('m', { ...TRIANGLE, sampling, points: samples.map((x) => new Array(9).fill(x)) });

/** The first coordinate of each frame. */
const xs = ({ frames, times }: { frames: Float32Array; times: Float64Array }) =>
  Array.from(times, (_, t) => frames[(t * frames.length) / times.length]);

describe('readAlembicSequence', () => {
  it('reads points as they are, and times from the first sample', () => {
    const points = [
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      [0, 0, 0.1, 1, 0, 0, 0, 1, 1e-30],
    ];
    const sequence = readScene([meshObject('m', { ...TRIANGLE, points })]);
    validateMeshSequence(sequence);
    expect(sequence.name).toBe('m');
    expect(sequence.rest.name).toBe('m');
    expect([...sequence.times]).toEqual([0, expect.closeTo(1 / 24, 12)]);
    expect([...sequence.frames]).toEqual([...Float32Array.from(points.flat())]);
    expect([...sequence.rest.positions]).toEqual(points[0]);
    expect(sequence.warnings).toEqual([]);
  });

  it('lists what is in an archive', () => {
    const archive = openScene([
      xformObject('body', translate(1, 0, 0), [
        meshObject('bodyShape', { ...TRIANGLE, points: [TRIANGLE.points[0], TRIANGLE.points[0].map((x) => 2 * x)] }),
        meshObject('hull', { ...TRIANGLE, kind: 'SubD', objectProperties: [visibleProperty(0)] }),
      ]),
    ]);
    expect(archive.application).toBe('tests');
    expect(archive.name).toBe('a');
    expect([...archive.kinds]).toEqual([
      ['Xform', 1],
      ['PolyMesh', 1],
      ['SubD', 1],
    ]);
    expect(archive.meshes.map(({ content, ...mesh }) => mesh)).toEqual([
      {
        path: '/body/bodyShape',
        name: 'bodyShape',
        kind: 'PolyMesh',
        vertices: 3,
        faces: 1,
        samples: 2,
        visible: true,
        faceSets: [],
      },
      {
        path: '/body/hull',
        name: 'hull',
        kind: 'SubD',
        vertices: 3,
        faces: 1,
        samples: 1,
        visible: false,
        faceSets: [],
      },
    ]);
  });

  it('reads a mesh that stands still as one frame', () => {
    const sequence = readScene([meshObject('m', TRIANGLE)]);
    validateMeshSequence(sequence);
    expect(sequence.times.length).toBe(1);
    // Equal samples are no motion.
    expect(readScene([moving([5, 5, 5])]).times.length).toBe(1);
  });

  it('holds samples before the first change, between changes and behind the last', () => {
    expect(xs(readScene([moving([1, 1, 1, 2, 2, 3, 2, 2, 2, 2])]))).toEqual([1, 1, 1, 2, 2, 3, 2, 2, 2, 2]);
    expect(xs(readScene([moving([1, 2, 1, 2, 1])]))).toEqual([1, 2, 1, 2, 1]);
  });

  it('turns z to y, and scales', () => {
    const sequence = readScene([meshObject('m', { ...TRIANGLE, properties: [geomParam('N', 'con', [0, 0, 1])] })], {
      up: 'z',
      scale: 2,
    });
    // (x, y, z) → (x, z, −y)
    expect([...sequence.rest.positions].map((x) => x + 0)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, -2]);
    expect([...(sequence.rest.normals?.values ?? [])].map((x) => x + 0)).toEqual([0, 1, 0]);
    expect([...sequence.rest.triangles]).toEqual([1, 2, 0]);
  });

  describe('several meshes', () => {
    const scene = () => [
      xformObject('left', translate(10, 0, 0), [
        meshObject('a', { ...TRIANGLE, properties: [geomParam('uv', 'vtx', [0, 0, 1, 0, 0, 1])] }),
      ]),
      xformObject('right', translate(20, 0, 0), [
        meshObject('b', TRIANGLE),
        meshObject('c', { ...TRIANGLE, objectProperties: [visibleProperty(0)] }),
      ]),
    ];

    it('become one with parts, where they are visible', () => {
      const { rest, warnings, name } = readScene(scene());
      expect(name).toBe('a');
      expect(rest.positions.length / 3).toBe(6);
      expect([...rest.triangles]).toEqual([1, 2, 0, 4, 5, 3]);
      expect(rest.parts).toEqual([
        { name: 'a', firstTriangle: 0, triangleCount: 1, material: -1 },
        { name: 'b', firstTriangle: 1, triangleCount: 1, material: -1 },
      ]);
      expect([rest.positions[0], rest.positions[9]]).toEqual([10, 20]);
      expect(rest.uvs?.indices?.length).toBe(6);
      expect(warnings).toEqual(["Alembic 'a.abc': '/right/c' is hidden and was skipped"]);
    });

    it.each([
      ['a', [10]],
      ['/right/b', [20]],
      ['right', [20, 20]],
      [
        ['a', 'c'],
        [10, 20],
      ],
    ])('are chosen by %j', (mesh, expected) => {
      const { rest } = readScene(scene(), { mesh });
      expect(expected.map((_, k) => rest.positions[9 * k])).toEqual(expected);
      expect(rest.positions.length).toBe(9 * expected.length);
    });

    it('have normals where one of them has', () => {
      const withNormals = meshObject('n', {
        ...TRIANGLE,
        properties: [geomParam('N', 'vtx', [1, 0, 0, 1, 0, 0, 1, 0, 0])],
      });
      const { rest } = readScene([withNormals, meshObject('m', TRIANGLE)]);
      validateMeshSequence({ name: '', rest, frames: rest.positions, times: Float64Array.of(0) });
      expect([...(rest.normals?.values ?? [])].map((x) => x + 0)).toEqual([
        1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1,
      ]);
    });

    it('are named where none of the name is there', () => {
      expect(() => readScene(scene(), { mesh: 'nobody' })).toThrow(UsageError);
      expect(() => readScene(scene(), { mesh: 'nobody' })).toThrow(
        "Alembic 'a.abc': there is no mesh 'nobody'; the archive has '/left/a', '/right/b', '/right/c'",
      );
      expect(() => readScene(scene(), { mesh: ['a', 'x'] })).toThrow("no mesh 'x'");
    });
  });

  it('takes visibility from parents, unless an object has its own', () => {
    const hidden = { ...translate(0, 0, 0), objectProperties: [visibleProperty(0)] };
    const visible = (...values: number[]) =>
      meshObject('m', { ...TRIANGLE, objectProperties: [visibleProperty(...values)] });
    const shown = (value: number) => openScene([xformObject('x', hidden, [visible(value)])]).meshes[0].visible;
    expect([shown(-1), shown(0), shown(1)]).toEqual([false, false, true]);
    expect(readScene([visible(1, 0)]).warnings).toEqual([
      "Alembic 'a.abc': '/m' is hidden in some frames; it is read in all",
    ]);
    expect(() => readScene([visible(0)])).toThrow("all meshes are hidden; choose one by name: '/m'");
    expect(readScene([visible(0)], { mesh: 'm' }).times.length).toBe(1);
  });

  describe('topology that changes', () => {
    const [points] = TRIANGLE.points;

    it('is refused with the frame and both counts of vertices', () => {
      const scene = [meshObject('m', { ...TRIANGLE, points: [points, points, [...points, 0, 0, 1]] })];
      expect(() => readScene(scene)).toThrow(InputError);
      const message = "'/m' has 4 vertices in frame 2, but 3 in frame 0; the topology must be constant";
      expect(() => readScene(scene)).toThrow(message);
      // Known before any frame is read.
      expect(new AlembicAnimation(openScene(scene)).changedTopology()).toContain(message);
      expect(new AlembicAnimation(openScene([meshObject('m', TRIANGLE)])).changedTopology()).toBeUndefined();
    });

    it('is refused with the frame and both counts of faces', () => {
      const scene = [
        meshObject('m', {
          points: [points, points.map((x) => x + 1)],
          counts: [[3], [3, 3]],
          indices: [
            [0, 1, 2],
            [0, 1, 2, 0, 2, 1],
          ],
        }),
      ];
      expect(() => readScene(scene)).toThrow(
        "'/m' has 2 faces with 6 corners in frame 1, but 1 faces with 3 corners in frame 0",
      );
    });

    it('is refused where only the order of corners changes', () => {
      const scene = [
        meshObject('m', {
          points: [points, points.map((x) => x + 1)],
          counts: [[3]],
          indices: [
            [0, 1, 2],
            [0, 2, 1],
          ],
        }),
      ];
      expect(() => readScene(scene)).toThrow(
        '1 faces with 3 corners in frame 1, but 1 faces with 3 corners in frame 0',
      );
    });

    it('is not seen where equal faces are written again', () => {
      const scene = [
        meshObject('m', {
          points: [points, points.map((x) => x + 1), points],
          counts: [[3], [3], [3]],
          indices: [
            [0, 1, 2],
            [0, 1, 2],
            [0, 1, 2],
          ],
        }),
      ];
      expect(readScene(scene).times.length).toBe(3);
    });
  });

  it('reads some frames, with the first frame of all as the rest pose', () => {
    const archive = openScene([moving([1, 2, 3, 4, 5])]);
    const sequence = readAlembicSequence(archive, { frames: [1, 4] });
    expect(xs(sequence)).toEqual([2, 5]);
    expect([...sequence.times]).toEqual([0, expect.closeTo(3 / 24, 12)]);
    expect(sequence.rest.positions[0]).toBe(1);
    expect(() => readAlembicSequence(archive, { frames: [] })).toThrow(UsageError);
    expect(() => readAlembicSequence(archive, { frames: [5] })).toThrow(
      'there is no frame 5; the animation has 0 to 4',
    );
    expect(() => readAlembicSequence(archive, { frames: [2, 1] })).toThrow('frames must increase');
  });

  it('reads some vertices of a frame', () => {
    const points = [TRIANGLE.points[0], [0, 1, 2, 3, 4, 5, 6, 7, 8]];
    const animation = new AlembicAnimation(openScene([meshObject('m', { ...TRIANGLE, points })]));
    const out = new Float32Array(6);
    animation.readFrame(1, out, [2, 0]);
    expect([...out]).toEqual([6, 7, 8, 0, 1, 2]);
    expect(animation.vertexCount).toBe(3);
    expect(() => animation.readFrame(2, out)).toThrow('there is no frame 2; the animation has frames 0 to 1');
    expect(() => animation.readFrame(1, out)).toThrow('out has 6 numbers, expected 9 for 3 vertices');
    expect(() => animation.readFrame(1, out, [0, 3])).toThrow('there is no vertex 3; the mesh has 3 vertices');
  });

  it('reads only what it needs of a file, and may be asked again', () => {
    const bytes = buildArchive([moving(Array.from({ length: 200 }, (_, k) => k))]);
    let read = 0;
    const buffer = new Uint8Array(bytes.length);
    const archive = openAlembic({
      size: bytes.length,
      read: (from, count) => {
        read += count;
        // The same buffer every time, as a file would do it.
        buffer.set(bytes.subarray(from, from + count));
        return buffer.subarray(0, count);
      },
    });
    const opened = read;
    for (let round = 0; round < 3; round++) expect(xs(readAlembicSequence(archive, { frames: [7] }))).toEqual([7]);
    expect(read - opened).toBeLessThan(bytes.length / 4);
  });

  it('says that a sequence is too large for memory before it reads it', () => {
    const many = { ops: [OP.translate], values: Array.from({ length: 3000 }, (_, x) => [x, 0, 0]) };
    const scene = [xformObject('x', many, [meshObject('m', { points: [new Array(3 * 300_000).fill(0)] })])];
    expect(() => readScene(scene)).toThrow(
      '3000 frames of 300000 vertices need 10.8 GB, which does not fit into memory',
    );
  });

  it('tells its progress, and stops when it is told to', () => {
    const archive = openScene([moving([1, 2])]);
    const fractions: number[] = [];
    readAlembicSequence(archive, {}, { onProgress: ({ fraction }) => fractions.push(fraction) });
    expect(fractions).toEqual([0.5, 1]);
    expect(() => readAlembicSequence(archive, {}, { signal: { aborted: true } })).toThrow('cancelled');
  });

  it('refuses coordinates that are not numbers', () => {
    const bad = [...TRIANGLE.points[0]];
    bad[5] = Number.NaN;
    const scene = [meshObject('m', { ...TRIANGLE, points: [TRIANGLE.points[0], bad] })];
    expect(() => readScene(scene)).toThrow("point 1 of '/m' has the coordinate NaN in frame 1");
    const far = [xformObject('x', { ops: [OP.scale], values: [[1e39, 1, 1]] }, [meshObject('m', TRIANGLE)])];
    expect(() => readScene(far)).toThrow("point 1 of '/x/m' has the coordinate Infinity in frame 0");
  });

  it('says what an archive without meshes holds', () => {
    expect(() => readScene([])).toThrow(UnsupportedError);
    expect(() => readScene([xformObject('x', translate(1, 2, 3), [])])).toThrow(
      "Alembic 'a.abc': the archive contains no polygon meshes (only 1 Xform); export the meshes",
    );
    expect(() => readScene([meshObject('m', { points: [[]] })])).toThrow("'/m' has no vertices");
  });

  it.each([
    [{ up: 'x' as 'y' }, "up is 'x', expected y or z"],
    [{ scale: 0 }, 'scale is 0, expected above 0'],
    [{ scale: Number.NaN }, 'scale is NaN'],
    [{ fps: 0 }, 'fps is 0, expected above 0'],
    [{ fps: 1e12 }, 'use a lower rate'],
    [{ foo: 1 } as object, "unknown option 'foo'"],
  ])('refuses the options %j', (options, message) => {
    expect(() => readScene([moving([0, 1])], options)).toThrow(UsageError);
    expect(() => readScene([moving([0, 1])], options)).toThrow(message);
  });
});
