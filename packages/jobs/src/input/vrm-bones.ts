/** The bones of a character by the names of VRM: limbs, trunk and head as a performance finds them, fingers by their names. */
import { type GltfAsset, readRig } from '@pelt/io';
import type { Bone } from '@pelt/model';
import { type Humanoid, type HumanoidLimb, recogniseHumanoid } from '@pelt/skin/puppet/runtime';

const FINGERS: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/thumb/, 'Thumb', ['Metacarpal', 'Proximal', 'Distal']],
  [/index/, 'Index', ['Proximal', 'Intermediate', 'Distal']],
  [/mid/, 'Middle', ['Proximal', 'Intermediate', 'Distal']],
  [/ring/, 'Ring', ['Proximal', 'Intermediate', 'Distal']],
  [/pinky|little/, 'Little', ['Proximal', 'Intermediate', 'Distal']],
];

/** Sine of the angle by which arms may leave the horizontal at rest: that of VRM is a T. */
const LEVEL = 0.5;

/**
 * Nodes of the file by the names of VRM 1.
 *
 * @param name  of the character, for messages
 * @throws InputError where no body is found
 */
export function vrmBones(asset: GltfAsset, name: string, warn: (message: string) => void): Record<string, number> {
  const { rig } = readRig(asset);
  const { bones } = rig;
  const body = recogniseHumanoid(bones, name);
  const places: Record<string, number> = {};
  const set = (place: string, bone: number) => {
    if (bone >= 0) places[place] = asset.scene.bones[bone].node;
  };
  set('hips', body.pelvis);
  if (body.arms.some((arm) => !isLevel(bones, arm))) {
    warn('its arms do not point to the sides at rest; avatars are posed from a T, so that others may show it bent');
  }
  trunk(body).forEach(([place, bone]) => {
    set(place, bone);
  });
  set('neck', body.neck);
  set('head', body.head >= 0 ? body.head : body.neck);
  for (const arm of body.arms) {
    set(`${arm.side}UpperArm`, arm.upper);
    set(`${arm.side}LowerArm`, arm.lower);
    set(`${arm.side}Hand`, arm.end);
    const collar = bones[arm.upper].parent;
    if (collar >= 0 && collar !== body.pelvis && !body.spine.includes(collar)) set(`${arm.side}Shoulder`, collar);
    for (const [place, bone] of fingers(bones, arm)) set(place, bone);
  }
  const head = body.head >= 0 ? body.head : body.neck;
  for (const [place, bone] of face(bones, head)) set(place, bone);
  for (const leg of body.legs) {
    set(`${leg.side}UpperLeg`, leg.upper);
    set(`${leg.side}LowerLeg`, leg.lower);
    set(`${leg.side}Foot`, leg.end);
    const toes = body.bones[`${leg.side}Toes`];
    if (toes !== undefined)
      set(
        `${leg.side}Toes`,
        bones.findIndex((bone) => bone.name === toes),
      );
  }
  return places;
}

function isLevel(bones: readonly Bone[], { upper, lower }: HumanoidLimb): boolean {
  const [x, y, z] = [3, 7, 11].map((k) => bones[lower].rest[k] - bones[upper].rest[k]);
  return Math.abs(y) <= LEVEL * Math.hypot(x, y, z);
}

/** VRM has up to three bones between hips and neck. */
function trunk({ spine }: Humanoid): [place: string, bone: number][] {
  if (spine.length < 3) return spine.map((bone, k) => [k === 0 ? 'spine' : 'chest', bone]);
  const middle = spine[Math.floor(spine.length / 2)];
  return [
    ['spine', spine[0]],
    ['chest', middle],
    ['upperChest', spine[spine.length - 1]],
  ];
}

/** Eyes and jaw: bones below the head that are called so, an eye on each side. */
function face(bones: readonly Bone[], head: number): [place: string, bone: number][] {
  if (head < 0) return [];
  const named = (pattern: RegExp) =>
    [...bones.keys()].filter((j) => pattern.test(bones[j].name) && isBelow(bones, j, head));
  // Lids, brows and lashes are called after the eye, too; the eye itself is nearest to the head.
  const eyes = named(/eye(?!.*(?:lid|brow|lash|blink|socket|end|nub))/i).filter(
    (j) => !/lid|brow|lash/i.test(bones[j].name),
  );
  const side = (sign: number) => eyes.find((j) => sign * (bones[j].rest[3] - bones[head].rest[3]) > 0);
  const found: [string, number | undefined][] = [
    ['leftEye', side(1)],
    ['rightEye', side(-1)],
    ['jaw', named(/jaw(?!.*(?:end|nub))/i)[0]],
  ];
  const both = found[0][1] !== undefined && found[1][1] !== undefined;
  return found.flatMap(([place, bone]): [string, number][] =>
    bone === undefined || (place !== 'jaw' && !both) ? [] : [[place, bone]],
  );
}

function isBelow(bones: readonly Bone[], j: number, top: number): boolean {
  const { parent } = bones[j];
  return parent === top || (parent >= 0 && isBelow(bones, parent, top));
}

/** Bones below the hand that are called after a finger, from the palm outwards. */
function fingers(bones: readonly Bone[], { side, end }: HumanoidLimb): [place: string, bone: number][] {
  if (end < 0) return [];
  const below = [...bones.keys()].filter((j) => j > end && isBelow(bones, j, end));
  return FINGERS.flatMap(([pattern, finger, joints]) => {
    const own = below.filter((j) => pattern.test(bones[j].name.toLowerCase()));
    return joints.flatMap((joint, k): [string, number][] =>
      k < own.length ? [[`${side}${finger}${joint}`, own[k]]] : [],
    );
  });
}
