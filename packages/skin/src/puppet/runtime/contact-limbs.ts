/** The feet of a character that can be planted, with the limbs that they end. */
import type { Bone } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import type { CharacterShape } from './character-shape.ts';
import type { ContactLimb } from './contacts.ts';
import { basesOf } from './humanoid/attach.ts';
import type { Humanoid } from './humanoid/humanoid.ts';
import { measureRest } from './humanoid/humanoid-rest.ts';
import { TwoBoneLimb } from './two-bone.ts';

/**
 * @param poses  m × 12 each: poses of the character
 * @returns those at the end of two bones; other feet slide
 */
export function contactLimbs(
  bones: readonly Bone[],
  shape: CharacterShape,
  humanoid: Humanoid | undefined,
  poses: readonly Float64Array[],
  options: PuppetOptions,
): ContactLimb[] {
  // In place, feet slide: planting them would make the character travel.
  const contacts = options.contacts ?? (humanoid && options.travel > 0 ? 'auto' : 'none');
  if (contacts === 'none') return [];
  if (!humanoid) {
    return shape.feet(contacts).flatMap((foot) => {
      const chain = TwoBoneLimb.chainTo(bones, foot.bone);
      return chain ? [{ foot, limb: new TwoBoneLimb(bones, chain, poses), upper: chain[0] }] : [];
    });
  }
  const bases = basesOf(bones, humanoid);
  const { legs } = measureRest(bones, humanoid, (bone) => shape.tips([bone]));
  const wanted = contacts === 'auto' ? legs.map(({ end }) => end) : contacts;
  return shape.feet(wanted).flatMap((foot) => {
    const leg = legs.find(({ end }) => end === foot.bone);
    if (!leg) {
      const chain = TwoBoneLimb.chainTo(bones, foot.bone);
      return chain ? [{ foot, limb: new TwoBoneLimb(bones, chain, poses), upper: chain[0] }] : [];
    }
    // The frame of the thigh has its axis in the second column, and turns it the other way round.
    const hinge = [1, 4, 7].map((k) => -leg.upperFrame[k]);
    const limb = new TwoBoneLimb(bones, [leg.upper, leg.lower, leg.end], poses, { bases, hinge });
    return [{ foot, limb, upper: leg.upper }];
  });
}
