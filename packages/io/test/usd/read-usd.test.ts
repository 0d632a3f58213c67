/** USD that is read: what pelt writes, as text, package and crate; scenes by hand; three's USDLoader as a second opinion. */
import { boundsOf, diagonalOf } from '@pelt/model';
import { type Mesh, type Object3D, Vector3 } from 'three';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import { bakeSequence, glbToUsda, glbToUsdz, readGltf, usdToGlb, writeSkinnedGlb } from '../../src/index.ts';
import { readUsda } from '../../src/usd/read/read-usda.ts';
import { zipStored } from '../../src/usd/zip-stored.ts';
import { randomRig, sheet } from '../gltf/models.ts';
import { writeCrate } from './crate-writer.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const usda = (text: string, metadata = 'metersPerUnit = 1') => utf8(`#usda 1.0\n(\n${metadata}\n)\n${text}`);

async function character(scale = 1) {
  const { rig, clip } = randomRig({ bones: 3, slots: 3, frames: 4, scale }, sheet(3, 3, 1, scale));
  const n = rig.mesh.positions.length / 3;
  const deltas = [Float32Array.from({ length: 3 * n }, (_, k) => (k < 6 ? (scale * (k + 1)) / 10 : 0))];
  const weights = [Float32Array.of(0, 0.5, 1, 0.25)];
  return (await writeSkinnedGlb({ rig, clips: [clip], morphs: { deltas, weights } })).bytes;
}

/** Largest distance of corners at any frame, against the size. */
async function distance(glb: Uint8Array, back: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([readGltf(glb), readGltf(back)]);
  const times = [0, 0.01, 0.05, 0.09];
  const [before, after] = [bakeSequence(a, { times }), bakeSequence(b, { times })];
  const [n, m] = [a.mesh.positions.length, b.mesh.positions.length];
  let worst = 0;
  for (let t = 0; t < times.length; t++) {
    a.mesh.triangles.forEach((i, c) => {
      const j = b.mesh.triangles[c];
      for (let d = 0; d < 3; d++)
        worst = Math.max(worst, Math.abs(before.frames[t * n + 3 * i + d] - after.frames[t * m + 3 * j + d]));
    });
  }
  return worst / diagonalOf(boundsOf(a.mesh.positions));
}

const TRIANGLE = `int[] faceVertexCounts = [3]
int[] faceVertexIndices = [0, 1, 2]
point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0)]
uniform token subdivisionScheme = "none"`;

async function positionsOf(bytes: Uint8Array, resolve?: (path: string) => Uint8Array | undefined) {
  const warnings: string[] = [];
  const glb = await usdToGlb(bytes, { resolve, onWarning: (message) => warnings.push(message) });
  const asset = await readGltf(glb);
  return { asset, warnings, positions: [...asset.mesh.positions].map((value) => Number(value.toFixed(5))) };
}

describe('usdToGlb', () => {
  it.each([1, 1e3, 1e-3])('gives back what was written, at a size of %d', async (scale) => {
    const glb = await character(scale);
    const [layer] = await glbToUsda(glb);
    expect(await distance(glb, await usdToGlb(layer.bytes))).toBeLessThan(2e-6);
    expect(await distance(glb, await usdToGlb(await glbToUsdz(glb)))).toBeLessThan(2e-6);
  });

  it.each([false, true])('reads the same from a crate, with arrays packed: %s', async (packed) => {
    const glb = await character();
    const [layer] = await glbToUsda(glb);
    const crate = writeCrate(readUsda(layer.bytes), { packed });
    expect(await distance(glb, await usdToGlb(crate))).toBeLessThan(2e-6);
    expect(await usdToGlb(crate)).toEqual(await usdToGlb(layer.bytes));
    const zipped = zipStored([{ name: 'scene.usdc', bytes: crate }]);
    expect(await usdToGlb(zipped)).toEqual(await usdToGlb(layer.bytes));
  });

  it('reads a part of a larger buffer, as Node gives it', async () => {
    const [layer] = await glbToUsda(await character());
    for (const bytes of [layer.bytes, writeCrate(readUsda(layer.bytes)), await glbToUsdz(await character())]) {
      const shared = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]).subarray(6, 6 + bytes.length);
      expect(await usdToGlb(shared)).toEqual(await usdToGlb(bytes));
    }
  });

  it('takes crates as three does', async () => {
    const text = usda(`def Xform "top"
{
      double3 xformOp:translate = (1, 2, 3)
      float3 xformOp:rotateXYZ = (30, 40, 50)
      float3 xformOp:scale = (1, 2, 3)
      uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
      def Mesh "m"
{
${TRIANGLE}
}
    }`);
    const crate = writeCrate(readUsda(text));
    const { asset } = await positionsOf(crate);
    for (const bytes of [crate, text]) {
      const root = new USDLoader().parse(bytes.slice().buffer);
      root.updateMatrixWorld(true);
      const found: number[] = [];
      root.traverse((object: Object3D) => {
        if (!(object as Mesh).isMesh) return;
        const { position } = (object as Mesh).geometry.attributes;
        for (let v = 0; v < position.count; v++)
          found.push(...new Vector3().fromBufferAttribute(position, v).applyMatrix4(object.matrixWorld).toArray());
      });
      expect(found).toHaveLength(9);
      found.forEach((value, k) => {
        expect(value).toBeCloseTo(asset.mesh.positions[k], 5);
      });
    }
  });

  it('puts stages into metres with the y axis up', async () => {
    const mesh = `def Mesh "m" { ${TRIANGLE} }`;
    // Without a unit USD means centimetres.
    expect((await positionsOf(usda(mesh, ''))).positions.slice(3, 9)).toEqual([0.01, 0, 0, 0, 0.02, 0]);
    const { positions } = await positionsOf(usda(mesh, 'metersPerUnit = 1\nupAxis = "Z"'));
    expect(positions.slice(6).map((value) => value + 0)).toEqual([0, 0, -2]);
  });

  it('follows inverted ops, and starts anew where the stack is reset', async () => {
    const text = `def Xform "top" {
      double3 xformOp:translate = (10, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"]
      def Mesh "m" {
        double3 xformOp:translate:pivot = (1, 0, 0)
        float xformOp:rotateZ = 90
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"]
        ${TRIANGLE}
      }
    }`;
    // About (1, 0): (0, 0) → (1, −1), (1, 0) stays, (0, 2) → (−1, −1).
    expect((await positionsOf(usda(text))).positions.map((value) => value + 0)).toEqual([1, -1, 0, 1, 0, 0, -1, -1, 0]);
  });

  it('composes references, payloads, classes and variants, and finds materials through them', async () => {
    const geometry = usda(
      `def Xform "Asset" { def Mesh "m" { ${TRIANGLE}
      rel material:binding = </Asset/Red> }
      def Material "Red" { token outputs:surface.connect = </Asset/Red/s.outputs:surface>
        def Shader "s" { uniform token info:id = "UsdPreviewSurface"
          color3f inputs:diffuseColor = (1, 0, 0)
          token outputs:surface } } }`,
      'defaultPrim = "Asset"',
    );
    const root = usda(`class "_base" { double3 xformOp:translate = (5, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"] }
      def "one" ( prepend references = @parts/asset.usda@ ) {}
      def "two" ( prepend payload = @parts/asset.usda@</Asset>
        prepend inherits = </_base> ) {}
      def "three" ( variants = { string place = "far" }
        prepend variantSets = "place"
        references = </one> ) {
        variantSet "place" = {
          "near" { }
          "far" { double3 xformOp:translate = (0, 0, 7)
            uniform token[] xformOpOrder = ["xformOp:translate"] }
        } }`);
    const { asset, positions, warnings } = await positionsOf(root, (path) =>
      path === 'parts/asset.usda' ? geometry : undefined,
    );
    expect(warnings).toEqual([]);
    expect([positions[0], positions[9], positions[20]]).toEqual([0, 5, 7]);
    expect(asset.mesh.materials?.map(({ name, baseColor }) => [name, ...baseColor])).toEqual(
      expect.arrayContaining([['Red', 1, 0, 0, 1]]),
    );
  });

  it('says what is not there, and does not follow circles', async () => {
    const { warnings } = await positionsOf(
      usda(`def "a" ( references = @gone.usda@ ) { def Mesh "m" { ${TRIANGLE} } }`),
    );
    expect(warnings.join()).toMatch(/'gone.usda' is not there/);
    await positionsOf(
      usda(`def "a" ( references = </b> ) { def Mesh "m" { ${TRIANGLE} } }\ndef "b" ( references = </a> ) {}`),
    );
  });

  it('turns left-handed faces, splits seams and keeps subsets', async () => {
    const { asset } = await positionsOf(
      usda(`def Mesh "m" {
        uniform token orientation = "leftHanded"
        int[] faceVertexCounts = [3, 4]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3, 4]
        point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (-1, 0.5, 0)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0.25, 0)] ( interpolation = "faceVarying" )
        int[] primvars:st:indices = [0, 1, 2, 3, 2, 0, 0]
        def GeomSubset "part" { uniform token familyName = "materialBind"
          int[] indices = [1]
          rel material:binding = </Blue> }
      }
      def Material "Blue" { token outputs:surface.connect = </Blue/s.outputs:surface>
        def Shader "s" { uniform token info:id = "UsdPreviewSurface"
          color3f inputs:diffuseColor = (0, 0, 1)
          float inputs:roughness = 0.25
          token outputs:surface } }`),
    );
    const { triangles, positions, uvs, materials } = asset.mesh;
    expect(triangles).toHaveLength(9);
    // Turned: the normal of the first triangle looks away from +z.
    const [a, b, c] = [...triangles.subarray(0, 3)].map((i) => [...positions.subarray(3 * i, 3 * i + 2)]);
    expect((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).toBeLessThan(0);
    expect(positions.length / 3).toBe(6);
    expect(uvs?.values[1]).toBe(1);
    expect(materials?.find(({ name }) => name === 'Blue')).toMatchObject({ baseColor: [0, 0, 1, 1], roughness: 0.25 });
  });

  it('plays in-betweens of blend shapes, and static poses', async () => {
    const { asset } = await positionsOf(
      usda(`def SkelRoot "root" {
        def Skeleton "skel" {
          uniform token[] joints = ["a"]
          uniform matrix4d[] bindTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )]
          uniform matrix4d[] restTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )]
          rel skel:animationSource = </root/anim>
        }
        def SkelAnimation "anim" {
          uniform token[] joints = ["a"]
          float3[] translations = [(0, 0, 1)]
          quatf[] rotations = [(1, 0, 0, 0)]
          half3[] scales = [(1, 1, 1)]
          uniform token[] blendShapes = ["up"]
          float[] blendShapeWeights.timeSamples = { 0: [0], 24: [1] }
        }
        def Mesh "m" { ${TRIANGLE}
          rel skel:skeleton = </root/skel>
          int[] primvars:skel:jointIndices = [0] ( interpolation = "constant" )
          float[] primvars:skel:jointWeights = [1] ( interpolation = "constant" )
          uniform token[] skel:blendShapes = ["up"]
          rel skel:blendShapeTargets = </root/m/up>
          def BlendShape "up" {
            uniform vector3f[] offsets = [(0, 4, 0)]
            uniform int[] pointIndices = [0]
            uniform vector3f[] inbetweens:half = [(3, 0, 0)] ( weight = 0.5 )
          }
        }
      }`),
    );
    const { frames } = bakeSequence(asset, { times: [0, 0.25, 0.5, 0.75, 1] });
    const point = (t: number) => [...frames.subarray(9 * t, 9 * t + 3)].map((value) => Number(value.toFixed(4)));
    expect([0, 1, 2, 3, 4].map(point)).toEqual([
      [0, 0, 1],
      [1.5, 0, 1],
      [3, 0, 1],
      [1.5, 2, 1],
      [0, 4, 1],
    ]);
  });

  it.each([
    ['', /is empty|neither text nor a crate/],
    ['#usda 1.0\n', /holds no mesh/],
    ['#usda 1.0\ndef Mesh "m" { int[] x = [1, 2', /line 2/],
    [`#usda 1.0\n${'def "a" {'.repeat(300)}`, /nested too deep/],
    [`#usda 1.0\ndef "a" { custom x y = ${'('.repeat(300)}`, /nested too deep/],
    [
      '#usda 1.0\ndef Mesh "m" { int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 9]\npoint3f[] points = [(0,0,0)] }',
      /corner that is none/,
    ],
    ['#usda 1.0\nnonsense', /begins no prim/],
  ])('says what is wrong with %j', async (text, message) => {
    await expect(usdToGlb(utf8(text), { name: 'x.usda' })).rejects.toThrow(message);
  });

  it('refuses crates that are cut short anywhere, in one line', async () => {
    const crate = writeCrate(readUsda(usda(`def Mesh "m" { ${TRIANGLE} }`)));
    for (let size = 8; size < crate.length; size += 7) {
      await expect(usdToGlb(crate.subarray(0, size))).rejects.toThrow(/USD file: [^\n]*$/);
    }
    const old = crate.slice();
    old[9] = 3;
    await expect(usdToGlb(old)).rejects.toThrow(/version 0\.3 is not read/);
  });

  it('refuses a package that is compressed, or holds no layer', async () => {
    const zip = zipStored([{ name: 'a.usda', bytes: usda('') }]);
    await expect(usdToGlb(zipStored([{ name: 'a.png', bytes: utf8('x') }]))).rejects.toThrow(/holds no layer/);
    const view = new DataView(zip.buffer);
    const directory = view.getUint32(zip.length - 6, true);
    view.setUint16(directory + 10, 8, true);
    await expect(usdToGlb(zip)).rejects.toThrow(/is compressed/);
  });
});
