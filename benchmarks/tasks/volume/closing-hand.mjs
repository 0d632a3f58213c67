/** Bones of a hand from its joints, and poses in which it closes: each joint of a finger bends towards the palm. */

/** Degrees of a closed hand at the three joints of a finger and of the thumb. */
const CLOSED = [70, 80, 50];
const CLOSED_THUMB = [25, 30, 40];

/** @param joints  a place for the wrist, and for each finger its joints and its tip; the palm looks along +z */
export function closingHand({ wrist, fingers }, frames) {
  const bones = [boneAt('wrist', -1, wrist)];
  const tips = new Map();
  const bends = [{ degrees: 0, axis: [1, 0, 0] }];
  for (const [name, places] of Object.entries(fingers)) {
    places.slice(0, -1).forEach((place, k) => {
      const degrees = (name === 'thumb' ? CLOSED_THUMB : CLOSED)[k];
      bends.push({ degrees, axis: acrossFinger(place, places[k + 1]) });
      bones.push(boneAt(`${name} ${k + 1}`, k === 0 ? 0 : bones.length - 1, place));
    });
    tips.set(bones.length - 1, places.at(-1));
  }
  const poses = Array.from({ length: frames }, (_, t) => pose(bones, bends, t / (frames - 1)));
  return { bones, tips, poses };
}

function boneAt(name, parent, [x, y, z]) {
  return { name, parent, rest: Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z) };
}

/** The axis about which a bone turns towards +z: direction × z. */
function acrossFinger(from, to) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(x, y);
  return [y / length, -x / length, 0];
}

/** m × 12: every joint bent by a share of what a closed hand has. */
function pose(bones, bends, share) {
  const transforms = new Float64Array(12 * bones.length);
  bones.forEach(({ parent, rest }, j) => {
    const own = about([rest[3], rest[7], rest[11]], bends[j].axis, (share * bends[j].degrees * Math.PI) / 180);
    transforms.set(parent < 0 ? own : times(transforms.subarray(12 * parent, 12 * parent + 12), own), 12 * j);
  });
  return transforms;
}

/** A turn about an axis through a place: Rodrigues' formula. */
function about(place, [x, y, z], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  const rotation = [
    [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
  ];
  return rotation.flatMap((row, r) => [...row, place[r] - row.reduce((sum, value, k) => sum + value * place[k], 0)]);
}

/** A B of two 3 × 4 transforms. */
function times(a, b) {
  return Array.from({ length: 12 }, (_, k) => {
    const [r, c] = [4 * Math.floor(k / 4), k % 4];
    return a[r] * b[c] + a[r + 1] * b[4 + c] + a[r + 2] * b[8 + c] + (c === 3 ? a[r + 3] : 0);
  });
}
