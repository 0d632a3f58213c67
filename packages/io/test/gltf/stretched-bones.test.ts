import { describe, expect, it } from 'vitest';
import { randomRig } from './models.ts';
import { deviation, playedDeviation, roundTrip, TOLERANCE } from './skinned-round-trip.ts';

describe('bones that stretch', () => {
  it('are exact as pairs, and what they lose otherwise is said', async () => {
    for (const tree of [true, false]) {
      const { rig, clip } = randomRig({ stretch: 0.6, tree, frames: 5 });
      const exact = await roundTrip({ rig, clips: [clip] }, { affine: 'pair' });
      expect(exact.lost).toBeLessThan(1e-6);
      expect(deviation(rig, clip, exact.back)).toBeLessThan(TOLERANCE);
      expect(await playedDeviation(rig, clip, exact.bytes)).toBeLessThan(TOLERANCE);
      const near = await roundTrip({ rig, clips: [clip] }, { affine: 'trs' });
      expect(near.lost).toBeGreaterThan(0.01);
      expect(near.lost).toBeLessThan(0.6);
      expect(near.back.rig.bones).toHaveLength(rig.bones.length);
    }
  });

  it('lose nothing as scales where they stretch along the axes of their rest frame', async () => {
    const { rig, clip } = randomRig({ tree: false, bones: 3 });
    const transforms = clip.transforms.slice();
    for (let k = 0; k < transforms.length; k += 12) {
      const { rest } = rig.bones[(k / 12) % 3];
      // M · A diag(1, 2, 0.5) Aᵀ about the bone's origin, A its axes
      const scaled = new Float64Array(9);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          for (let i = 0; i < 3; i++) scaled[3 * r + c] += rest[4 * r + i] * [1, 2, 0.5][i] * rest[4 * c + i];
        }
      }
      const origin = [rest[3], rest[7], rest[11]];
      for (let r = 0; r < 3; r++) {
        const row = [0, 1, 2].map((c) =>
          [0, 1, 2].reduce((sum, i) => sum + clip.transforms[k + 4 * r + i] * scaled[3 * i + c], 0),
        );
        const before = origin.reduce(
          (sum, value, c) => sum + clip.transforms[k + 4 * r + c] * value,
          clip.transforms[k + 4 * r + 3],
        );
        transforms.set(row, k + 4 * r);
        transforms[k + 4 * r + 3] = before - origin.reduce((sum, value, c) => sum + row[c] * value, 0);
      }
    }
    const { lost, bytes } = await roundTrip({ rig, clips: [{ ...clip, transforms }] });
    expect(lost).toBeLessThan(1e-6);
    expect(await playedDeviation(rig, { ...clip, transforms }, bytes)).toBeLessThan(TOLERANCE);
  });

  it('let their children hang from the next bone that does not', async () => {
    const { rig, clip } = randomRig({ bones: 3, frames: 4 });
    const chain = { ...rig, bones: rig.bones.map((bone, j) => ({ ...bone, parent: j - 1 })) };
    const transforms = clip.transforms.slice();
    // The bone in the middle is stretched along x; root and tip are not.
    for (let t = 0; t < 4; t++) for (let r = 0; r < 3; r++) transforms[12 * (3 * t + 1) + 4 * r] *= 1.5;
    const { back, bytes } = await roundTrip({ rig: chain, clips: [{ ...clip, transforms }] }, { affine: 'pair' });
    expect(back.rig.bones.map(({ parent }) => parent)).toEqual([-1, 0, 0]);
    expect(await playedDeviation(chain, { ...clip, transforms }, bytes)).toBeLessThan(TOLERANCE);
  });

  it('may mirror or vanish', async () => {
    const { rig, clip } = randomRig({ tree: false, bones: 2, frames: 3 });
    for (const factor of [-1, 0]) {
      const transforms = clip.transforms.map((value, k) => (k % 4 === 0 ? factor * value : value));
      const { bytes } = await roundTrip({ rig, clips: [{ ...clip, transforms }] }, { affine: 'pair' });
      expect(await playedDeviation(rig, { ...clip, transforms }, bytes)).toBeLessThan(TOLERANCE);
    }
  });
});

describe('rest frames', () => {
  it('that are stretched, mirrored or flat still give the motion', async () => {
    const { rig, clip } = randomRig();
    for (const linear of [
      [2, 0, 0, 0, 2, 0, 0, 0, 2],
      [1, 0, 0, 0, 3, 0, 0, 0.5, 1],
      [-1, 0, 0, 0, 1, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]) {
      const bones = rig.bones.map(({ rest, ...bone }) => ({
        ...bone,
        rest: rest.map((value, k) => (k % 4 === 3 ? value : linear[3 * (k >> 2) + (k % 4)])),
      }));
      const { bytes } = await roundTrip({ rig: { ...rig, bones }, clips: [clip] });
      expect(await playedDeviation(rig, clip, bytes)).toBeLessThan(TOLERANCE);
    }
  });

  it('keep their scale where it is one for all directions', async () => {
    const { rig, clip } = randomRig();
    const bones = rig.bones.map(({ rest, ...bone }) => ({
      ...bone,
      rest: rest.map((value, k) => (k % 4 === 3 ? value : 0.01 * value)),
    }));
    const { back } = await roundTrip({ rig: { ...rig, bones }, clips: [clip] });
    back.rig.bones.forEach(({ rest }, j) => {
      rest.forEach((value, k) => {
        expect(value).toBeCloseTo(bones[j].rest[k], 5);
      });
    });
  });
});
