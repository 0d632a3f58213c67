/** The feet of a character that can be planted, with the limbs that they end. */
import { transformPoint } from '@pelt/math';
import { type Bone, UsageError } from '@pelt/model';
import type { PuppetOptions } from '../options.ts';
import type { CharacterShape, ContactFoot } from './character-shape.ts';
import type { ContactLimb } from './contacts.ts';
import { basesOf } from './humanoid/attach.ts';
import type { Humanoid } from './humanoid/humanoid.ts';
import { measureRest } from './humanoid/humanoid-rest.ts';
import { posedOrigin } from './local-pose.ts';
import type { ShapeSpace } from './shape-space.ts';
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
      return chain ? [limbOf(bones, foot, new TwoBoneLimb(bones, chain, poses), chain[0])] : [];
    });
  }
  const bases = basesOf(bones, humanoid);
  const { legs } = measureRest(bones, humanoid, (bone) => shape.tips([bone]));
  const wanted = contacts === 'auto' ? legs.map(({ end }) => end) : contacts;
  return shape.feet(wanted).flatMap((foot) => {
    const leg = legs.find(({ end }) => end === foot.bone);
    if (!leg) {
      const chain = TwoBoneLimb.chainTo(bones, foot.bone);
      return chain ? [limbOf(bones, foot, new TwoBoneLimb(bones, chain, poses), chain[0])] : [];
    }
    // The frame of the thigh has its axis in the second column, and turns it the other way round.
    const hinge = [1, 4, 7].map((k) => -leg.upperFrame[k]);
    const limb = new TwoBoneLimb(bones, [leg.upper, leg.lower, leg.end], poses, { bases, hinge });
    return [limbOf(bones, foot, limb, leg.upper)];
  });
}

/**
 * The feet of a character without a skeleton, each on its own: what is near gives way.
 *
 * @param contacts  as in `PuppetOptions`
 */
export function shapeLimbs(space: ShapeSpace, contacts: PuppetOptions['contacts']): ContactLimb[] {
  if (contacts === undefined || contacts === 'none') return [];
  if (contacts !== 'auto') {
    throw new UsageError("createPuppet: a character without a skeleton has no bones to name; give contacts 'auto'");
  }
  const body = (transforms: Float64Array, out: Float64Array) => space.middle(transforms, out);
  return space.feet.map((foot) => ({ name: foot.name, soles: [foot.locate], limb: foot, body }));
}

function limbOf(bones: readonly Bone[], foot: ContactFoot, limb: TwoBoneLimb, upper: number): ContactLimb {
  return {
    name: bones[foot.bone].name,
    soles: foot.points.map(
      ({ bone, point: [x, y, z] }) =>
        (transforms: Float64Array, out: Float64Array) =>
          transformPoint(transforms, 12 * bone, x, y, z, out, 0),
    ),
    limb,
    body: (transforms, out) => posedOrigin(bones[upper], transforms, 12 * upper, out),
  };
}
