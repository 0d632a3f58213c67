/** The run time in a real browser: every model on every renderer against the evaluators on the CPU. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagonalOf, farthest, weldedNormals, widestAngle } from './compare.ts';
import {
  type BodyFixture,
  makeBody,
  makePuppet,
  makeShapes,
  type PuppetFixture,
  type ShapesFixture,
} from './driving-fixtures.ts';
import { type Fixture, type FixtureName, type Fixtures, makeFixtures } from './fixtures.ts';
import type { SeenInstance } from './lab/crowds.ts';
import type { Dragged, Solved } from './lab/driving.ts';
import type { Played, PlayRequest } from './lab/playing.ts';
import { floatsOf, openLab, type TestPage } from './page.ts';
import { pictureSuite } from './pictures.suite.ts';

/** Of the model's size. */
const SAME_PLACE = 2e-6;
const SAME_NORMAL_DEGREES = 0.01;

let fixtures: Fixtures;
let puppet: PuppetFixture;
let shapes: ShapesFixture;
let body: BodyFixture;
let page: TestPage;

beforeAll(async () => {
  fixtures = await makeFixtures();
  puppet = await makePuppet();
  shapes = await makeShapes();
  body = await makeBody();
  const files = new Map([...fixtures.files].map(([name, { bytes }]) => [`${name}.glb`, bytes]));
  page = await openLab(
    files.set('puppet.glb', puppet.bytes).set('shapes.glb', shapes.bytes).set('body.glb', body.bytes),
  );
});
afterAll(async () => {
  await page?.close();
  fixtures?.close();
});

const ALL = ['webgpu', 'webgl2', 'classic'] as const;
const NODES = ['webgpu', 'webgl2'] as const;

interface Case {
  readonly name: FixtureName;
  readonly on: readonly PlayRequest['renderer'][];
  readonly options: Partial<PlayRequest>;
}

const CASES: readonly Case[] = [
  ...(['plain', 'envelope', 'two-layer', 'eigenskin'] as const).map(
    (name): Case => ({ name, on: ALL, options: { all: true } }),
  ),
  { name: 'eight', on: ['classic'], options: { eight: true } },
  ...(['blended', 'exact'] as const).flatMap((normals) =>
    (['plain', 'eight', 'envelope', 'displaced', 'two-layer', 'eigenskin'] as const).map(
      (name): Case => ({ name, on: NODES, options: { all: true, enhance: { normals } } }),
    ),
  ),
  ...(['plain', 'eight'] as const).map(
    (name): Case => ({
      name,
      on: NODES,
      options: { all: true, enhance: { normals: 'exact', skinning: 'dual-quaternion' } },
    }),
  ),
];

function fixtureOf(name: FixtureName): Fixture {
  const found = fixtures.files.get(name);
  if (!found) throw new Error(`no fixture ${name}`);
  return found;
}

function expectShape({ mesh }: Fixture, played: Played, expected: Float32Array, exact: boolean): void {
  expect(farthest(mesh, floatsOf(played.positions), expected)).toBeLessThan(SAME_PLACE);
  expect(farthest(mesh, floatsOf(played.rayPositions), expected)).toBeLessThan(SAME_PLACE);
  if (exact) {
    expect(widestAngle(floatsOf(played.normals), weldedNormals(mesh, expected))).toBeLessThan(SAME_NORMAL_DEGREES);
  }
  const room = SAME_PLACE * diagonalOf(mesh);
  expected.forEach((value, k) => {
    expect(value).toBeGreaterThan(played.box[k % 3] - room);
    expect(value).toBeLessThan(played.box[3 + (k % 3)] + room);
  });
  // And not far more than the shape itself.
  expect(Math.hypot(...[0, 1, 2].map((c) => played.box[3 + c] - played.box[c]))).toBeLessThan(4 * diagonalOf(mesh));
}

describe('models on renderers', () => {
  const rows = CASES.flatMap(({ on, ...rest }) =>
    on.map((renderer) => ({ ...rest, renderer, how: JSON.stringify(rest.options.enhance ?? rest.options) })),
  );
  it.each(rows)('plays $name on $renderer, $how', async ({ name, renderer, options }) => {
    const fixture = fixtureOf(name);
    const t = Math.floor(fixture.times.length / 2);
    const request: PlayRequest = { file: `/${name}.glb`, renderer, time: fixture.times[t], ...options };
    const played: Played = await page.call('playFile', request);
    const screw = options.enhance?.skinning === 'dual-quaternion';
    const expected = screw ? fixture.screwed?.(t) : fixture.positions(t);
    expectShape(fixture, played, expected as Float32Array, options.enhance?.normals === 'exact');
    expect(page.errors).toEqual([]);
  });

  it.each([...ALL, 'exact' as const])('plays a poser with its details on %s', async (how) => {
    const { transforms, blend, positions } = fixtures.posed;
    const request = {
      file: '/poser.glb',
      renderer: how === 'exact' ? 'webgpu' : how,
      ...(how === 'exact' && { enhance: { normals: 'exact' } }),
      transforms,
      blend,
    };
    const played: Played = await page.call('poseFile', request);
    expect(played.kind).toBe('poser');
    expect(Math.max(...blend.map(Math.abs))).toBeGreaterThan(0.1);
    expectShape(fixtureOf('poser'), played, positions, how === 'exact');
    expect(page.errors).toEqual([]);
  });

  it.each([
    { name: 'envelope-plain' as const, renderer: 'classic', enhance: undefined },
    { name: 'two-layer' as const, renderer: 'webgpu', enhance: undefined },
    { name: 'displaced' as const, renderer: 'webgpu', enhance: { normals: 'exact' } },
    { name: 'eight' as const, renderer: 'webgl2', enhance: { normals: 'blended' } },
  ])('gives a clone of $name its own pose on $renderer', async ({ name, renderer, enhance }) => {
    const fixture = fixtureOf(name);
    // At its last key a clip starts again.
    const [a, b] = [1, fixture.times.length - 2];
    const request = { file: `/${name}.glb`, renderer, time: fixture.times[a], other: fixture.times[b], enhance };
    const both: Played[] = await page.call('cloneApart', request);
    expect(farthest(fixture.mesh, floatsOf(both[0].positions), fixture.positions(a))).toBeLessThan(SAME_PLACE);
    expect(farthest(fixture.mesh, floatsOf(both[1].positions), fixture.positions(b))).toBeLessThan(SAME_PLACE);
    expect(farthest(fixture.mesh, fixture.positions(a), fixture.positions(b))).toBeGreaterThan(1e-2);
    expect(page.errors).toEqual([]);
  });

  it.each([
    ...(['envelope-parts', 'two-layer-parts'] as const).flatMap((name) => [
      { name, renderer: 'webgpu', cloned: true, enhance: { normals: 'exact' } },
      { name, renderer: 'webgl2', cloned: false, enhance: { normals: 'blended' } },
    ]),
    ...(['shared-parts', 'separate-parts'] as const).flatMap((name) => [
      { name, renderer: 'webgpu', cloned: false, enhance: { normals: 'exact' } },
      { name, renderer: 'webgl2', cloned: true, enhance: { normals: 'exact' } },
      { name, renderer: 'webgl2', cloned: false, enhance: { normals: 'blended' } },
      { name, renderer: 'classic', cloned: false, enhance: undefined, eight: true },
    ]),
  ])('plays both primitives of $name on $renderer, cloned: $cloned, $enhance', async ({ name, ...rest }) => {
    const fixture = fixtureOf(name);
    const expected = fixture.positions(2);
    const normals = weldedNormals(fixture.mesh, expected);
    const request = { file: `/${name}.glb`, time: fixture.times[2], ...rest };
    const parts: Played[] = await page.call('playParts', request);
    expect(parts).toHaveLength(2);
    let first = 0;
    for (const part of parts) {
      const found = floatsOf(part.positions);
      const own = (array: Float32Array | Float64Array) => array.subarray(first, first + found.length);
      expect(farthest(fixture.mesh, found, own(expected) as Float32Array)).toBeLessThan(SAME_PLACE);
      expect(farthest(fixture.mesh, floatsOf(part.rayPositions), own(expected) as Float32Array)).toBeLessThan(
        SAME_PLACE,
      );
      // Along the border of the primitives as well, where each of them alone would have a crease.
      if (rest.enhance?.normals === 'exact') {
        expect(widestAngle(floatsOf(part.normals), own(normals))).toBeLessThan(SAME_NORMAL_DEGREES);
      }
      if (name !== 'shared-parts') first += found.length;
    }
    expect(page.errors).toEqual([]);
  });

  it.each((['envelope', 'two-layer', 'poser'] as const).flatMap((name) => ALL.map((renderer) => ({ name, renderer }))))(
    'plays $name on $renderer as plain skinning where the plugin is absent',
    async ({ name, renderer }) => {
      const { mesh, times, skinned } = fixtureOf(name);
      const t = Math.floor(times.length / 2);
      const played: string = await page.call('playPlain', `/${name}.glb`, renderer, times[t]);
      expect(farthest(mesh, floatsOf(played), skinned?.(t) ?? mesh.positions)).toBeLessThan(SAME_PLACE);
      expect(page.errors).toEqual([]);
    },
  );

  it('leaves a file without an extension to GLTFLoader', async () => {
    const answer = await page.call('twoFiles', '/envelope.glb', '/plain.glb');
    expect(answer).toEqual({ kinds: ['envelope'], plainType: 'SkinnedMesh', plainIsOurs: false });
  });
});

describe('crowds', () => {
  it.each([
    { name: 'eight' as const, renderer: 'webgpu', baked: false },
    { name: 'two-layer' as const, renderer: 'webgpu', baked: false },
    { name: 'two-layer' as const, renderer: 'webgl2', baked: false },
    { name: 'envelope-plain' as const, renderer: 'webgl2', baked: false },
    { name: 'displaced' as const, renderer: 'webgpu', baked: false },
    { name: 'displaced' as const, renderer: 'webgl2', baked: true },
    { name: 'eight' as const, renderer: 'webgl2', baked: true },
    { name: 'two-layer' as const, renderer: 'webgpu', baked: true },
    { name: 'eight' as const, renderer: 'webgl2', baked: false, scaled: true },
    { name: 'envelope' as const, renderer: 'webgpu', baked: true, scaled: true },
  ])(
    'poses instance 57 of $name on $renderer, baked: $baked, scaled: $scaled',
    async ({ name, renderer, baked, scaled = false }) => {
      const fixture = fixtureOf(name);
      const request = { file: `/${name}.glb`, renderer, baked, scaled, count: 64, instance: 57, times: fixture.times };
      const seen: SeenInstance = await page.call('instanceOf', request);
      const posed = fixture.positions(57 % fixture.times.length);
      const placed = posed.map((_, k) => {
        const row = 4 * (k % 3);
        const at = k - (k % 3);
        const [x, y, z] = posed.subarray(at, at + 3);
        return seen.place[row] * x + seen.place[row + 1] * y + seen.place[row + 2] * z + seen.place[row + 3];
      });
      // Far from the origin, float32 has fewer digits for the same model.
      expect(farthest(fixture.mesh, floatsOf(seen.positions), placed)).toBeLessThan(5 * SAME_PLACE);
      expect(widestAngle(floatsOf(seen.normals), floatsOf(seen.expectedNormals))).toBeLessThan(SAME_NORMAL_DEGREES);
      if (baked) expect(seen.uploadBytes).toBe(64 * 8);
      expect(page.errors).toEqual([]);
    },
  );
});

describe('as three.js expects', () => {
  it.each([
    { name: 'envelope-plain', renderer: 'classic' },
    { name: 'eight', renderer: 'classic', eight: true },
    { name: 'envelope', renderer: 'webgpu', enhance: { normals: 'exact' } },
    { name: 'two-layer', renderer: 'webgl2', enhance: { normals: 'blended' } },
  ])('casts the shadow of $name on $renderer as a baked mesh would', async ({ name, ...rest }) => {
    const time = fixtureOf(name as FixtureName).times[3];
    const answer: { differing: number; dark: number } = await page.call('shadows', {
      file: `/${name}.glb`,
      time,
      ...rest,
    });
    expect(answer.dark).toBeGreaterThan(40);
    expect(answer.differing).toBeLessThanOrEqual(0.02 * answer.dark);
    expect(page.errors).toEqual([]);
  });

  it.each(['eight', 'envelope', 'two-layer'])(
    'finds with a ray what a search over all triangles of %s does',
    async (name) => {
      const time = fixtureOf(name as FixtureName).times[2];
      const { ours, theirs }: { ours: number[]; theirs: number[] } = await page.call('rayHits', `/${name}.glb`, time);
      expect(theirs.filter((distance) => distance > 0).length).toBeGreaterThan(6);
      ours.forEach((distance, k) => {
        expect(distance).toBeCloseTo(theirs[k], 6);
      });
    },
  );

  it('draws a mesh whose material uses seven attributes of its own', async () => {
    const fixture = fixtureOf('eight');
    expect(await page.call('nineAttributes', '/eight.glb', fixture.times[1])).toBeGreaterThan(8);
    expect(page.errors).toEqual([]);
  });

  it('does not grow over a thousand frames', async () => {
    const { bytes, upload }: { bytes: number; upload: number } = await page.call(
      'heapGrowth',
      '/envelope.glb',
      'webgl2',
      1000,
    );
    expect(bytes).toBeLessThan(200_000);
    expect(upload).toBeLessThan(4096);
  });

  it.each(NODES)('frees what it made on %s', async (renderer) => {
    const left: { textures: number; geometries: number; held: number } = await page.call(
      'leftAfterDispose',
      '/envelope.glb',
      renderer,
    );
    expect(left.held).toBeGreaterThan(5);
    expect(left.textures).toBe(0);
    expect(left.geometries).toBe(0);
  });

  it('says once what a renderer does not show', async () => {
    page.warnings.length = 0;
    await page.call('breakDown', '/displaced.glb', 'classic');
    await page.call('breakDown', '/eight.glb', 'webgl2');
    const own = page.warnings.filter((text) => text.startsWith('pelt:'));
    expect(own).toHaveLength(2);
    expect(own[0]).toMatch(/without its displacements of a learnt skin; WebGLRenderer cannot show them/);
    expect(own[1]).toMatch(/without its 8 weights per vertex; enhance\(\) of @pelt\/three\/webgpu/);
  });
});

pictureSuite(() => ({ page, fixtures }));

describe('drivers in workers', () => {
  it('solves a pose as the session does here', async () => {
    const { handles, positions, blend } = fixtures.posed;
    const solved: Solved = await page.call('solveHandles', '/poser.glb', handles);
    expect(farthest(fixtureOf('poser').mesh, floatsOf(solved.positions), positions)).toBeLessThan(1e-4);
    solved.blend.forEach((share, e) => {
      expect(share).toBeCloseTo(blend[e], 3);
    });
    expect(page.errors).toEqual([]);
  });

  it.each(['poser', 'poser-parts'])('drags a point of %s with the pointer, pins, and takes both back', async (name) => {
    const dragged: Dragged = await page.call('dragPoint', `/${name}.glb`);
    expect(dragged.picked).toBeGreaterThanOrEqual(0);
    // The pointer went 25 pixels; the force of a handle is limited, so the skin need not follow all the way.
    expect(dragged.missed).toBeLessThan(5);
    expect(dragged.moved).toBeGreaterThan(0.05);
    expect(dragged.afterUndo).toBeLessThan(0.02 * dragged.moved);
    expect(dragged.pins).toEqual([true, false]);
    expect(dragged.bent).toBeGreaterThan(0.05);
    expect(dragged.drift).toHaveLength(4);
    expect(Math.max(...dragged.drift)).toBeLessThan(0.5 * dragged.bent);
    expect(page.errors).toEqual([]);
  });

  it('drives a character by a performer', async () => {
    const { registration, joints, transforms } = puppet;
    const posed: number[] = await page.call('puppetPose', '/puppet.glb', registration, joints);
    posed.forEach((value, k) => {
      expect(value).toBeCloseTo(transforms[k], 5);
    });
    expect(page.errors).toEqual([]);
  });

  it('drives shapes without a skeleton by the pairs of their file', async () => {
    const { joints, transforms, blend } = shapes;
    const posed: { transforms: number[]; influences: number[] } = await page.call('shapesPose', '/shapes.glb', joints);
    posed.transforms.forEach((value, k) => {
      expect(value).toBeCloseTo(transforms[k], 4);
    });
    expect(posed.influences).toHaveLength(blend.length);
    posed.influences.forEach((value, e) => {
      expect(value).toBeCloseTo(blend[e], 4);
    });
    expect(page.errors).toEqual([]);
  });

  it('deforms a solid body by the joints of its mesh', async () => {
    const shape: { positions: string; drawn: string } = await page.call('bodyShape', '/body.glb', body.body, body.time);
    for (const found of [floatsOf(shape.positions), floatsOf(shape.drawn)]) {
      body.positions.forEach((value, k) => {
        expect(Math.abs(value - found[k])).toBeLessThan(1e-5);
      });
    }
    expect(page.errors).toEqual([]);
  });
});
