import { brotliCompressSync } from 'node:zlib';
import { bakeSequence, readGltf, writeMorphGlb, writeSkinnedGlb } from '@pelt/io';
import { frameAt, InputError, UsageError } from '@pelt/model';
import { CHARACTER_ASSET_DEFAULTS, characterAsset, creatureScene } from '@pelt/testkit';
import fc from 'fast-check';
import type { Mesh, SkinnedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../io/test/gltf/glb-json.ts';
import { ThreePlayer } from '../../io/test/gltf/three-player.ts';
import { complaintsAbout } from '../../io/test/gltf/validate-glb.ts';
import { compressGlb, NO_VERTEX, rewriteGltf, surfaceDistance, UNSEEN_ERROR } from '../src/index.ts';

const asset = characterAsset();
/** What the validator says of the input too: parts hang below a node, a socket is empty. */
const KNOWN = /NODE_SKINNED_MESH|NODE_EMPTY/;

function diagonalOf(positions: Float32Array): number {
  const side = (c: number) => {
    const own = positions.filter((_, k) => k % 3 === c);
    return own.reduce((a, b) => Math.max(a, b)) - own.reduce((a, b) => Math.min(a, b));
  };
  return Math.hypot(side(0), side(1), side(2));
}

describe('a file as it is', () => {
  it('without compression has the same numbers', async () => {
    const { bytes, order, error } = await rewriteGltf({ bytes: asset });
    expect(error).toBe(0);
    const [before, after] = [await readGltf(asset), await readGltf(bytes)];
    for (let clip = 0; clip < 2; clip++) {
      const [a, b] = [bakeSequence(before, { clip }), bakeSequence(after, { clip })];
      order.forEach((i, v) => {
        expect(frameAt(b, 5).subarray(3 * v, 3 * v + 3)).toEqual(frameAt(a, 5).subarray(3 * i, 3 * i + 3));
      });
    }
  });

  it.each(['plain', 'compressed'])('keeps nodes, names, extras, cameras, lights and materials, %s', async (form) => {
    const { bytes } = await rewriteGltf({ bytes: asset }, { compress: form === 'plain' ? undefined : 'meshopt' });
    const [before, after] = [jsonOf(asset), jsonOf(bytes)];
    // biome-ignore lint/suspicious/noExplicitAny: JSON of a test
    const look = (json: any) => ({
      nodes: json.nodes.map(
        ({ name, extras, children, mesh, skin, camera, extensions }: object & Record<string, never>) => ({
          name,
          extras,
          children,
          mesh,
          skin,
          camera,
          extensions,
        }),
      ),
      meshes: json.meshes.map(({ name, extras, weights, primitives }: object & Record<string, never>) => ({
        name,
        extras,
        weights,
        parts: (primitives as { material: number; extras: object }[]).map((own) => [own.material, own.extras]),
      })),
      joints: json.skins[0].joints,
      materials: json.materials.map(({ name }: { name: string }) => name),
      rest: [json.cameras, json.extensions, json.scenes],
      clips: json.animations.map(({ name }: { name: string }) => name),
    });
    expect(look(after)).toEqual(look(before));
    const complaints = await complaintsAbout(bytes);
    expect(complaints.filter((line) => !KNOWN.test(JSON.stringify(line)))).toEqual([]);
  });

  it('gives every primitive its own vertices, never more than viewers had', async () => {
    const count = async (bytes: Uint8Array) => {
      let vertices = 0;
      (await ThreePlayer.load(bytes)).scene.traverse((object) => {
        if ((object as Mesh).isMesh) vertices += (object as Mesh).geometry.attributes.position.count;
      });
      return vertices;
    };
    const many = characterAsset({ parts: 12 });
    const { bytes } = await compressGlb(many);
    const { primitives } = jsonOf(bytes).meshes[0];
    const own = new Set(primitives.map(({ attributes }: { attributes: { POSITION: number } }) => attributes.POSITION));
    expect(own.size).toBe(12);
    // Twelve times the body's vertices before, now a few more than once for the borders of the parts.
    expect(await count(many)).toBe(14 * 146);
    expect(await count(bytes)).toBeLessThan(5 * 146);
  });

  it('is found by name in three.js, with one skeleton for both skinned meshes', async () => {
    const { scene } = await ThreePlayer.load((await compressGlb(asset)).bytes);
    for (const name of ['Character', 'Body', 'Hat', 'Face', 'Eye', 'Lamp', 'Hand_socket', 'joint_3']) {
      expect(scene.getObjectByName(name), name).toBeDefined();
    }
    const face = scene.getObjectByName('Face') as Mesh;
    expect(face.morphTargetDictionary).toEqual({ smile: 0, frown: 1 });
    const hat = scene.getObjectByName('Hat') as SkinnedMesh;
    expect(hat.skeleton.bones.map(({ name }) => name)).toEqual(['joint_0', 'joint_1', 'joint_2', 'joint_3']);
  });

  it('leaves out what nothing uses: UVs without a texture, curves that stand', async () => {
    const { bytes } = await compressGlb(asset, { transport: 'none' });
    const json = jsonOf(bytes);
    expect(Object.keys(json.meshes[0].primitives[0].attributes).sort()).toEqual([
      'JOINTS_0',
      'NORMAL',
      'POSITION',
      'WEIGHTS_0',
    ]);
    const paths = json.animations[0].channels.map(({ target }: { target: { path: string } }) => target.path).sort();
    expect(paths).toEqual(['rotation', 'rotation', 'rotation', 'rotation', 'translation', 'weights']);
    expect(bytes.length).toBeLessThan(0.45 * asset.length);
  });

  it('is smaller after brotli if it is packed for brotli, and as it is if it is packed for no compressor', async () => {
    const [sent, plain] = [await compressGlb(asset), await compressGlb(asset, { transport: 'none' })];
    expect(brotliCompressSync(sent.bytes).length).toBeLessThan(0.97 * brotliCompressSync(plain.bytes).length);
    expect(plain.bytes.length).toBeLessThan(sent.bytes.length);
    await expect(compressGlb(asset, { transport: 'zip' as 'gzip' })).rejects.toThrow("unknown transport 'zip'");
  });

  it('stores the weights of rigid parts once', async () => {
    const many = characterAsset({ parts: 96 });
    const { scene } = await readGltf(many);
    const { slots, bones } = scene.weights;
    // The first joint of each vertex has all of it.
    const weights = Float32Array.from(bones, (_, k) => (k % slots ? 0 : 1));
    const rigid = { slots, bones: bones.map((bone, k) => (k % slots ? 0 : bone)), weights };
    const { bytes } = await rewriteGltf({ bytes: many, weights: rigid }, { compress: 'meshopt' });
    const { meshes, accessors } = jsonOf(bytes);
    const skinned = meshes[0].primitives.map(
      ({ attributes }: { attributes: { WEIGHTS_0: number } }) => accessors[attributes.WEIGHTS_0],
    );
    const places = skinned.map(({ bufferView, byteOffset, componentType }: Record<string, number>) =>
      [bufferView, byteOffset, componentType].join(),
    );
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toMatch(/,5126$/);
    expect(await complaintsAbout(bytes)).toEqual((await complaintsAbout(many)).filter((line) => KNOWN.test(line)));
  });

  it('has no bytes for morph targets of parts that they do not move', async () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 2, 1, 0);
    const part = (firstTriangle: number) => ({ name: '', firstTriangle, triangleCount: 1, material: -1 });
    const rest = { name: '', positions, triangles: Uint32Array.of(0, 1, 2, 3, 4, 5), parts: [part(0), part(1)] };
    const frames = Float32Array.of(...positions, ...positions.map((x, k) => (k < 9 ? x : x + 1)));
    const plain = await writeMorphGlb({ name: '', rest, frames, times: Float64Array.of(0, 1) });
    const packed = await compressGlb(plain.bytes);
    const { meshes, accessors } = jsonOf(packed.bytes);
    const moved = meshes[0].primitives.map(
      ({ targets }: { targets: { POSITION: number }[] }) => accessors[targets[0].POSITION].bufferView,
    );
    expect(moved[0]).toBeUndefined();
    expect(moved[1]).toBeGreaterThanOrEqual(0);
    expect(await complaintsAbout(packed.bytes)).toEqual([]);
    const played = (await ThreePlayer.load(packed.bytes)).positionsAt(0, 1);
    packed.order.forEach((i, v) => {
      for (let c = 0; c < 3; c++) expect(played[3 * v + c]).toBeCloseTo(frames[18 + 3 * i + c], 3);
    });
  });

  it('keeps the time at which clips begin and end', async () => {
    const before = await readGltf(asset);
    const after = await readGltf((await compressGlb(asset, { maxError: 0.01 })).bytes);
    after.animations.forEach(({ start, end }, c) => {
      expect(start).toBeCloseTo(before.animations[c].start, 4);
      expect(end).toBeCloseTo(before.animations[c].end, 4);
    });
  });
});

describe('the error that is reported', () => {
  it('is that of the file as three.js plays it, whatever the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          parts: fc.integer({ min: 1, max: 6 }),
          clips: fc.integer({ min: 1, max: 3 }),
          keys: fc.integer({ min: 2, max: 20 }),
          joints: fc.integer({ min: 2, max: 6 }),
          seed: fc.integer({ min: 0, max: 1000 }),
          scale: fc.constantFrom(1, 1e-3, 1e3),
        }),
        fc.constantFrom(1e-2, 1e-3, UNSEEN_ERROR),
        async (options, maxError) => {
          const bytes = characterAsset(options);
          const packed = await compressGlb(bytes, { maxError });
          expect(packed.error).toBeLessThanOrEqual(maxError);
          const before = await readGltf(bytes);
          const player = await ThreePlayer.load(packed.bytes);
          let [sum, count] = [0, 0];
          before.animations.forEach(({ start }, clip) => {
            const truth = bakeSequence(before, { clip });
            truth.times.forEach((time, t) => {
              const played = player.positionsAt(clip, start + time);
              const frame = frameAt(truth, t);
              packed.places.forEach((v, i) => {
                if (v === NO_VERTEX) return;
                for (let c = 0; c < 3; c++) sum += (played[3 * v + c] - frame[3 * i + c]) ** 2;
                count++;
              });
            });
          });
          const error = Math.sqrt(sum / count) / diagonalOf(before.mesh.positions);
          expect(Math.abs(error - packed.error)).toBeLessThan(0.02 * packed.error + 1e-7);
        },
      ),
      { numRuns: 20, seed: 17 },
    );
  });

  it('is within the limit in every clip, however short', async () => {
    // A clip of three keys beside one of all.
    const { bytes } = await rewriteGltf({ bytes: asset, ends: [undefined, 0.25 + 2 / 24] });
    const before = await readGltf(bytes);
    expect(before.animations[1].channels[0].times).toHaveLength(3);
    for (const maxError of [1e-2, 1e-3]) {
      const packed = await compressGlb(bytes, { maxError });
      const after = await readGltf(packed.bytes);
      before.animations.forEach(({ name }, clip) => {
        const truth = bakeSequence(before, { clip });
        const played = bakeSequence(after, { clip, times: [...truth.times] });
        let [sum, count] = [0, 0];
        truth.times.forEach((_, t) => {
          const [a, b] = [frameAt(truth, t), frameAt(played, t)];
          packed.places.forEach((v, i) => {
            if (v === NO_VERTEX) return;
            for (let c = 0; c < 3; c++) sum += (a[3 * i + c] - b[3 * v + c]) ** 2;
            count++;
          });
        });
        expect(Math.sqrt(sum / count) / diagonalOf(before.mesh.positions), name).toBeLessThan(1.02 * maxError);
      });
    }
  });

  it('falls, and the file grows, as less is allowed', async () => {
    const files = await Promise.all([1e-2, 1e-3, 1e-4, 1e-5].map((maxError) => compressGlb(asset, { maxError })));
    files.slice(1).forEach((file, k) => {
      expect(file.error).toBeLessThan(files[k].error);
      expect(file.bytes.length).toBeGreaterThan(files[k].bytes.length);
    });
  });

  it('is about the same at any size', async () => {
    const errors = await Promise.all(
      [1, 1024, 1 / 1024].map(async (scale) => (await compressGlb(characterAsset({ scale }))).error),
    );
    for (const error of errors) expect(Math.abs(error / errors[0] - 1)).toBeLessThan(0.1);
  });
});

describe('edits', () => {
  it('give other weights, and drop joints that have none', async () => {
    const before = await readGltf(asset);
    const { weights, bones } = before.scene;
    const last = bones.findIndex(({ name }) => name === 'joint 3');
    // What followed the last joint follows the one above it.
    const moved = { ...weights, bones: weights.bones.map((j) => (j === last ? bones[last].parent : j)) };
    const once = mergeEqual(moved);
    const { bytes } = await rewriteGltf({ bytes: asset, weights: once });
    const after = await readGltf(bytes);
    expect(jsonOf(bytes).skins[0].joints).toHaveLength(3);
    expect(jsonOf(bytes).nodes).toHaveLength(jsonOf(asset).nodes.length);
    expect(after.scene.bones.map(({ name }) => name)).not.toContain('joint 3');
  });

  it('close a clip where it repeats', async () => {
    const { bytes } = await rewriteGltf({ bytes: asset, ends: [0.25 + 6 / 24, undefined] });
    const { animations } = await readGltf(bytes);
    expect(animations[0].end).toBeCloseTo(0.5, 6);
    for (const { values, size, times } of animations[0].channels) {
      expect(values.subarray((times.length - 1) * size)).toEqual(values.subarray(0, size));
    }
    expect(animations[1].end).toBeCloseTo(0.25 + (CHARACTER_ASSET_DEFAULTS.keys - 1) / 24, 6);
  });
});

describe('degenerate input', () => {
  it('bytes that are no glTF, and options that make no sense', async () => {
    await expect(compressGlb(new Uint8Array(3))).rejects.toThrow(InputError);
    await expect(compressGlb(asset, { maxError: 2 })).rejects.toThrow(UsageError);
    await expect(compressGlb(asset, { uvBits: 3 })).rejects.toThrow('from 4 to 16');
  });

  it('a single key, a single part, a packed file packed again', async () => {
    const small = characterAsset({ parts: 1, clips: 1, keys: 1, joints: 2 });
    const once = await compressGlb(small);
    const twice = await compressGlb(once.bytes);
    expect(twice.bytes.length).toBeLessThanOrEqual(1.02 * once.bytes.length);
    expect(twice.error).toBeLessThanOrEqual(UNSEEN_ERROR);
  });
});

/** A bone once per vertex, largest weight first. */
function mergeEqual({ slots, bones, weights }: { slots: number; bones: Uint16Array; weights: Float32Array }) {
  const out = { slots, bones: new Uint16Array(bones.length), weights: new Float32Array(weights.length) };
  for (let row = 0; row < bones.length; row += slots) {
    const sums = new Map<number, number>();
    for (let k = row; k < row + slots; k++) {
      if (weights[k] > 0) sums.set(bones[k], (sums.get(bones[k]) ?? 0) + weights[k]);
    }
    [...sums]
      .sort((a, b) => b[1] - a[1])
      .forEach(([bone, weight], s) => {
        out.bones[row + s] = bone;
        out.weights[row + s] = weight;
      });
  }
  return out;
}

describe('a level of detail', () => {
  it('has the triangles asked for, the skin and the clips, and is near in all poses', async () => {
    const { rig, clip } = creatureScene({ frames: 12, detail: 0.06 });
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const before = await readGltf(bytes);
    let last = 0;
    for (const share of [0.5, 0.25]) {
      const level = await rewriteGltf({ bytes, triangles: share }, { compress: 'meshopt' });
      const after = await readGltf(level.bytes);
      expect(after.mesh.triangles.length).toBeLessThanOrEqual(share * before.mesh.triangles.length);
      expect(after.mesh.triangles.length).toBeGreaterThan(0.9 * share * before.mesh.triangles.length);
      expect(after.scene.bones.length).toBe(before.scene.bones.length);
      expect(after.animations).toHaveLength(1);
      const { rms } = surfaceDistance(before, after);
      expect(rms).toBeGreaterThan(last);
      expect(rms).toBeLessThan(0.02);
      last = rms;
    }
    expect(surfaceDistance(before, before)).toEqual({ rms: 0, max: 0 });
    await expect(rewriteGltf({ bytes, triangles: 1 })).rejects.toThrow('a share of the triangles');
  });
});
