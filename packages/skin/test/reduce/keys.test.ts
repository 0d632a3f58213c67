import { bakeSequence, readGltf, writeSkinnedGlb } from '@pelt/io';
import { type Clip, frameAt, type MeshSequence, type Rig, SequenceErrorMeter, uniformTimes } from '@pelt/model';
import { blendFrames, chainScene, creatureScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { findLoop } from '../../src/reduce/keys/find-loop.ts';
import { LocalCurves } from '../../src/reduce/keys/local-curves.ts';
import { keyCount, thinKeys } from '../../src/reduce/keys/thin-keys.ts';

const played = (rig: Rig, clip: Clip): MeshSequence => ({
  name: rig.name,
  rest: rig.mesh,
  frames: blendFrames(rig, clip),
  times: clip.times,
});
const allKeys = (clip: Clip) => Int32Array.from({ length: clip.times.length }, (_, t) => t);

describe('LocalCurves', () => {
  it('with all keys plays the clip, through the whole chain', () => {
    const { rig, clip } = chainScene();
    const curves = new LocalCurves(rig, clip);
    for (const how of ['slerp', 'component'] as const) {
      const shown = curves.play(
        rig.bones.map(() => allKeys(clip)),
        how,
      );
      shown.forEach((value, k) => {
        expect(Math.abs(value - clip.transforms[k])).toBeLessThan(1e-9);
      });
    }
  });
});

describe('thinKeys', () => {
  it('needs two keys for a motion that is a straight line', () => {
    const { rig } = creatureScene({ frames: 2, detail: 0.12 });
    const S = 9;
    const transforms = new Float64Array(S * rig.bones.length * 12);
    for (let k = 0; k < S * rig.bones.length; k++) {
      const t = Math.floor(k / rig.bones.length);
      transforms.set([1, 0, 0, 0.1 * t, 0, 1, 0, 0, 0, 0, 1, -0.2 * t], 12 * k);
    }
    const clip = { name: 'glide', times: uniformTimes(S, 10), transforms };
    const thinned = thinKeys({ rig, clip, truth: played(rig, clip) }, { maxError: 0.01 });
    expect(keyCount(thinned.keys)).toBe(2 * rig.bones.length);
    expect(thinned.eRms).toBeLessThan(0.01);
  });

  it('keeps below the limit, needs fewer keys where more is allowed, and holds in the file as it is played', async () => {
    const { rig, clip } = creatureScene({ frames: 24, detail: 0.1 });
    const truth = played(rig, clip);
    const counts: number[] = [];
    for (const limit of [0.5, 4, 16]) {
      const { keys, eRms } = thinKeys({ rig, clip, truth }, { maxError: limit });
      expect(eRms).toBeLessThanOrEqual(limit);
      counts.push(keyCount(keys));
      const { bytes } = await writeSkinnedGlb({ rig, clips: [clip], keys: [keys] }, { normals: false });
      const back = bakeSequence(await readGltf(bytes, { name: 'thin.glb' }), { fps: 30 });
      const meter = new SequenceErrorMeter(rig.mesh, clip.times.length);
      for (let t = 0; t < clip.times.length; t++) meter.addFrame(frameAt(truth, t), frameAt(back, t));
      expect(meter.result().eRms).toBeLessThanOrEqual(1.01 * limit);
    }
    expect(counts[0]).toBeLessThanOrEqual(24 * rig.bones.length);
    expect(counts[1]).toBeLessThan(counts[0]);
    expect(counts[2]).toBeLessThan(counts[1]);
  });

  it('goes by the true times of frames that are not evenly spaced', async () => {
    const { rig } = creatureScene({ frames: 2, detail: 0.12 });
    const times = Float64Array.of(0, 0.01, 0.3, 0.32, 1.1, 1.2, 2);
    const transforms = new Float64Array(times.length * rig.bones.length * 12);
    for (let k = 0; k < times.length * rig.bones.length; k++) {
      const time = times[Math.floor(k / rig.bones.length)];
      transforms.set([1, 0, 0, 0.5 * time, 0, 1, 0, 0, 0, 0, 1, -time], 12 * k);
    }
    // Straight in time, though not from frame to frame.
    const glide = { name: 'glide', times, transforms };
    expect(keyCount(thinKeys({ rig, clip: glide, truth: played(rig, glide) }, { maxError: 0.01 }).keys)).toBe(
      2 * rig.bones.length,
    );

    const scene = creatureScene({ frames: 24, detail: 0.1 });
    const uneven = { ...scene.clip, times: scene.clip.times.map((time, t) => time + 0.012 * Math.sin(3 * t)) };
    uneven.times[0] = 0;
    const truth = played(scene.rig, uneven);
    const { keys } = thinKeys({ rig: scene.rig, clip: uneven, truth }, { maxError: 4 });
    expect(keyCount(keys)).toBeLessThan(20 * scene.rig.bones.length);
    const { bytes } = await writeSkinnedGlb({ rig: scene.rig, clips: [uneven], keys: [keys] }, { normals: false });
    const back = bakeSequence(await readGltf(bytes, { name: 'thin.glb' }), { times: uneven.times });
    const meter = new SequenceErrorMeter(scene.rig.mesh, uneven.times.length);
    for (let t = 0; t < uneven.times.length; t++) meter.addFrame(frameAt(truth, t), frameAt(back, t));
    expect(meter.result().eRms).toBeLessThanOrEqual(1.01 * 4);
  });

  it('keeps all keys where the limit cannot be held, and takes one frame', () => {
    const { rig, clip } = creatureScene({ frames: 6, detail: 0.12 });
    const other = { ...played(rig, clip), frames: blendFrames(rig, clip).map((value) => value * 1.1) };
    expect(keyCount(thinKeys({ rig, clip, truth: other }, { maxError: 1e-3 }).keys)).toBe(6 * rig.bones.length);
    const still = { ...clip, times: Float64Array.of(0), transforms: clip.transforms.slice(0, rig.bones.length * 12) };
    expect(keyCount(thinKeys({ rig, clip: still, truth: played(rig, still) }, { maxError: 1 }).keys)).toBe(
      rig.bones.length,
    );
  });
});

describe('findLoop', () => {
  const { rig, clip } = creatureScene({ frames: 12, detail: 0.12 });
  const size = rig.bones.length * 12;
  const twice: Clip = {
    name: 'twice',
    times: uniformTimes(24, 30),
    transforms: Float64Array.from([...clip.transforms, ...clip.transforms]),
  };

  it('finds what is played twice, and closes it', () => {
    const loop = findLoop({ rig, clip: twice }, { tolerance: 0.01 });
    expect(loop?.period).toBe(12);
    expect(loop?.clip.times.length).toBe(13);
    expect([...(loop?.clip.transforms.subarray(12 * size) ?? [])]).toEqual([...clip.transforms.subarray(0, size)]);
  });

  it('finds none in a clip that is played once, stands still or has uneven times', () => {
    const once = {
      ...twice,
      transforms: twice.transforms.map((value, k) => (k % 12 === 3 ? value + 0.01 * Math.floor(k / size) : value)),
    };
    expect(findLoop({ rig, clip: once }, { tolerance: 0.01 })).toBeUndefined();
    const still = { ...twice, transforms: twice.transforms.map((_, k) => twice.transforms[k % size]) };
    expect(findLoop({ rig, clip: still }, { tolerance: 0.01 })).toBeUndefined();
    const uneven = { ...twice, times: twice.times.map((time, t) => (t === 5 ? time + 0.01 : time)) };
    expect(findLoop({ rig, clip: uneven }, { tolerance: 0.01 })).toBeUndefined();
  });
});
