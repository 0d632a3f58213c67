/**
 * Finds the joints of a body in a skeleton by their names, in the vocabularies of the usual capture suites and character
 * tools. The same word can mean two joints: a `LeftShoulder` beside a `LeftArm` is the collar, alone it is the shoulder,
 * so that each place takes the first of its words that is there and not yet taken.
 */
import { BODY_JOINTS, type BodyJoint } from './motion.ts';

/** Words for a place in the middle of the body, best first; in lower case, without blanks or signs. */
const MIDDLE: Readonly<Record<string, readonly string[]>> = {
  hips: ['hips', 'hip', 'pelvis', 'root', 'spinebase', 'hipcenter'],
  spine: ['spine', 'spine01', 'lowerback', 'abdomen', 'spinemid', 'torso'],
  chest: [
    'upperchest',
    'chest',
    'spine2',
    'spine02',
    'spine1',
    'thorax',
    'spineshoulder',
    'shouldercenter',
    'upperback',
  ],
  neck: ['neck', 'neck01', 'neck1', 'lowerneck'],
  head: ['head'],
};

/** The same for a side, without the word for the side. */
const SIDE: Readonly<Record<string, readonly string[]>> = {
  Shoulder: ['upperarm', 'arm', 'shldr', 'humerus', 'shoulder'],
  Elbow: ['forearm', 'lowerarm', 'elbow', 'radius'],
  Wrist: ['wrist', 'hand'],
  Hand: ['hand', 'handindex1', 'fingerbase', 'handmiddle1', 'fingers', 'middle01', 'finger1'],
  Hip: ['upleg', 'upperleg', 'thigh', 'femur', 'hip'],
  Knee: ['lowerleg', 'leg', 'shin', 'calf', 'knee', 'tibia'],
  Ankle: ['foot', 'ankle'],
  Toes: ['toebase', 'toes', 'toe', 'ball', 'toe0'],
};

/**
 * Finds the joints of a human body among joint names, in the vocabularies of the usual capture suites.
 *
 * @param names  J names
 * @returns for each name the joint of `BODY_JOINTS` that it stands for, if any; no joint is given twice
 * @example
 * {@includeCode ../examples/motion.ts}
 */
export function findBodyJoints(names: readonly string[]): (BodyJoint | undefined)[] {
  const words = names.map(plainWord);
  const found = new Array<BodyJoint | undefined>(names.length).fill(undefined);
  for (const joint of BODY_JOINTS) {
    for (const forms of wordsFor(joint)) {
      const at = words.findIndex((word, j) => found[j] === undefined && forms.includes(word));
      if (at < 0) continue;
      found[at] = joint;
      break;
    }
  }
  return found;
}

/**
 * Renames the joints of a human body to the names of `BODY_JOINTS`. All other names stay, made unique.
 *
 * @param names  J names
 * @example
 * {@includeCode ../examples/motion.ts}
 */
export function nameBodyJoints(names: readonly string[]): string[] {
  const found = findBodyJoints(names);
  const used = new Set<string>(found.filter((joint) => joint !== undefined));
  return names.map((name, j) => {
    const joint = found[j];
    if (joint !== undefined) return joint;
    // A joint of another place may bear a name that is in use.
    let unique = name;
    for (let k = 2; used.has(unique); k++) unique = `${name} ${k}`;
    used.add(unique);
    return unique;
  });
}

/** For each word in order of preference, the forms in which it may stand. */
function wordsFor(joint: BodyJoint): string[][] {
  const side = /^(left|right)(.+)$/.exec(joint);
  if (!side) return MIDDLE[joint].map((word) => [word]);
  const [, long, place] = side;
  const short = long[0];
  return SIDE[place].map((word) => [long + word, short + word, word + long, word + short]);
}

/** `mixamorig:LeftArm`, `Bip01 L UpperArm`, `upper_arm.L` → `leftarm`, `lupperarm`, `upperarml`. */
function plainWord(name: string): string {
  return name
    .slice(name.lastIndexOf(':') + 1)
    .toLowerCase()
    .replace(/^(mixamorig|bip0*1|def|bone|b)[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]/g, '');
}
