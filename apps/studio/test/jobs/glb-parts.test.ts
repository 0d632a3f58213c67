import { writeSkinnedGlb } from '@pelt/io';
import { elbowScene } from '@pelt/testkit';
import { describe, expect, it } from 'vitest';
import { glbParts } from '../../src/jobs/glb-parts.ts';

describe('glbParts', () => {
  it('adds up to the file', async () => {
    const { rig, clip } = elbowScene({ frames: 5, rings: 9, sides: 6 });
    const { bytes } = await writeSkinnedGlb({ rig, clips: [clip] });
    const { geometry, animation, json } = glbParts(bytes);
    expect(geometry + animation + json).toBe(bytes.length);
    expect(Math.min(geometry, animation, json)).toBeGreaterThan(0);
  });

  it('has no animation where there is no clip, and more of it with more frames', async () => {
    const of = async (frames: number, clips: boolean) => {
      const { rig, clip } = elbowScene({ frames, rings: 9, sides: 6 });
      return glbParts((await writeSkinnedGlb({ rig, clips: clips ? [clip] : [] })).bytes);
    };
    const [none, few, many] = [await of(5, false), await of(5, true), await of(50, true)];
    expect(none.animation).toBe(0);
    expect(many.animation).toBeGreaterThan(few.animation);
    expect(many.geometry - few.geometry).toBeLessThan(64);
  });
});
