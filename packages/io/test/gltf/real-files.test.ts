import { readFileSync } from 'node:fs';
import { poseAt, validateClip, validateMeshSequence, validateRig } from '@pelt/model';
import { realData, realDataFolder } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { bakeSequence } from '../../src/gltf/bake-sequence.ts';
import { readGltf } from '../../src/gltf/read-gltf.ts';
import { readRig } from '../../src/gltf/read-rig.ts';
import { writeSkinnedGlb } from '../../src/gltf/write-skinned-glb.ts';
import { blendPose } from './blend-pose.ts';
import { largestDeviation, ThreePlayer } from './three-player.ts';
import { complaintsAbout } from './validate-glb.ts';

/** Vertices, bones and frames of each clip, counted in the files. */
const FILES = [
  { file: 'Horse', vertices: 796, bones: 1, frames: [16] },
  { file: 'Flamingo', vertices: 337, bones: 1, frames: [15] },
  { file: 'Soldier', vertices: 7434, bones: 49, frames: [60, 22, 2, 32] },
  { file: 'Fox', vertices: 1728, bones: 24, frames: [83, 18, 25] },
  { file: 'CesiumMan', vertices: 3273, bones: 19, frames: [48] },
  { file: 'RiggedFigure', vertices: 370, bones: 19, frames: [2] },
  { file: 'RiggedSimple', vertices: 160, bones: 2, frames: [50] },
  { file: 'MorphStressTest', vertices: 1528, bones: 1, frames: [281, 59, 191] },
  { file: 'AnimatedMorphCube', vertices: 24, bones: 1, frames: [127] },
];
const TOLERANCE = 1e-5;
/** Frames looked at in each clip; three.js takes a while for each. */
const PROBES = 8;

for (const { file, vertices, bones, frames } of FILES) {
  const path = realData(`gltf/${file}.glb`);
  describe.skipIf(!path)(path ? file : `${file} (not in ${realDataFolder()})`, () => {
    const load = async () => {
      const bytes = new Uint8Array(readFileSync(path as string));
      return { asset: await readGltf(bytes, { name: `${file}.glb` }), player: await ThreePlayer.load(bytes) };
    };

    it('has the counts of the file', async () => {
      const { asset } = await load();
      expect(asset.mesh.positions.length / 3).toBe(vertices);
      expect(asset.scene.bones.length).toBe(bones);
      expect(asset.animations.map((_, clip) => bakeSequence(asset, { clip }).times.length)).toEqual(frames);
    });

    it('bakes what three.js plays, at keys and between them', async () => {
      const { asset, player } = await load();
      for (const [clip, { start }] of asset.animations.entries()) {
        for (const fps of [undefined, 13]) {
          const sequence = bakeSequence(asset, { clip, fps });
          validateMeshSequence(sequence);
          const size = 3 * vertices;
          for (let p = 0; p < PROBES; p++) {
            const t = Math.round((p * (sequence.times.length - 1)) / (PROBES - 1));
            const played = player.positionsAt(clip, sequence.times[t] + start);
            expect(largestDeviation(played, sequence.frames.subarray(t * size, (t + 1) * size))).toBeLessThan(
              TOLERANCE,
            );
          }
        }
      }
    });

    it('goes out again, to the validator’s liking, and three.js still plays the same', async () => {
      const { asset } = await load();
      const { rig, clips, morphs } = readRig(asset);
      const { bytes, lost, vertexMap } = await writeSkinnedGlb({ rig, clips, morphs });
      expect(await complaintsAbout(bytes)).toEqual([]);
      expect(vertexMap.length).toBe(vertices);
      expect(lost).toBeLessThan(2e-6);
      const player = await ThreePlayer.load(bytes);
      for (const [c, clip] of clips.entries()) {
        const sequence = bakeSequence(asset, { clip: c });
        for (let p = 0; p < PROBES; p++) {
          const t = Math.round((p * (clip.times.length - 1)) / (PROBES - 1));
          // Parts share their vertices; three.js has them once for each.
          const played = player.positionsAt(c, Math.fround(clip.times[t])).subarray(0, 3 * vertices);
          const frame = sequence.frames.subarray(t * 3 * vertices, (t + 1) * 3 * vertices);
          expect(largestDeviation(frame, played)).toBeLessThan(TOLERANCE);
        }
      }
    });

    it('is a rig whose clips give the same frames', async () => {
      const { asset } = await load();
      const { rig, clips, morphs } = readRig(asset);
      validateRig(rig);
      for (const [c, clip] of clips.entries()) {
        validateClip(clip, rig.bones.length);
        const sequence = bakeSequence(asset, { clip: c });
        for (const t of [0, clip.times.length - 1]) {
          const R = morphs?.deltas.length ?? 0;
          const weights = morphs?.weights[c].subarray(t * R, (t + 1) * R);
          const posed = blendPose(rig, poseAt(clip, t, rig.bones.length), morphs?.deltas, weights);
          const frame = sequence.frames.subarray(t * 3 * vertices, (t + 1) * 3 * vertices);
          expect(largestDeviation(frame, posed)).toBeLessThan(1e-6);
        }
      }
    });
  });
}
