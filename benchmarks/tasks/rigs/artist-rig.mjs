/** Rigs that artists made: the mesh as all of their clips move it, and the joints that matter to it. */
import { readFileSync } from 'node:fs';
import { readGltf, readRig } from '@pelt/io';
import { concatenateSequences, deformLinear } from '@pelt/skin';

/** A joint matters that carries this share of the weight, and turns by so many degrees or moves by this share of the size. */
const [LEAST_WEIGHT, LEAST_TURN, LEAST_MOVE] = [1e-3, 2, 2e-3];

/** The rest pose is scaled so that the longest side of its box is this. */
const LONGEST = 2;

/** @param {string} file */
export async function loadArtistRig(file) {
  const { rig, clips } = readRig(await readGltf(readFileSync(file)));
  const unit = LONGEST / longestSide(rig.mesh.positions);
  const played = clips.map((clip) => play(rig, clip));
  const { sequence } = concatenateSequences(played);
  const joints = rig.bones.map(({ rest }) => [3, 7, 11].map((at) => unit * rest[at]));
  return { sequence, unit, joints, matter: jointsThatMatter(rig, clips, unit), rig };
}

/** A clip as a mesh animation, without its rig. */
function play(rig, clip) {
  const { positions } = rig.mesh;
  const m = rig.bones.length;
  const frames = new Float32Array(clip.times.length * positions.length);
  clip.times.forEach((_, t) => {
    const pose = clip.transforms.subarray(t * m * 12, (t + 1) * m * 12);
    deformLinear(positions, rig.weights, pose, frames.subarray(t * positions.length, (t + 1) * positions.length));
  });
  return { name: clip.name, rest: rig.mesh, frames, times: clip.times };
}

function jointsThatMatter({ bones, weights, mesh }, clips, unit) {
  const n = mesh.positions.length / 3;
  const shares = new Float64Array(bones.length);
  weights.bones.forEach((j, slot) => {
    shares[j] += weights.weights[slot] / n;
  });
  return bones.map((_, j) => j).filter((j) => shares[j] >= LEAST_WEIGHT && moves(bones, clips, j, unit));
}

/** Whether a joint turns or moves against its parent in any frame; a root against the world. */
function moves(bones, clips, j, unit) {
  const m = bones.length;
  const { parent, rest } = bones[j];
  const origin = [rest[3], rest[7], rest[11], 1];
  return clips.some(({ times, transforms }) =>
    Array.from(times.keys()).some((t) => {
      const own = transforms.subarray((t * m + j) * 12, (t * m + j + 1) * 12);
      const above = parent < 0 ? IDENTITY : transforms.subarray((t * m + parent) * 12, (t * m + parent + 1) * 12);
      const carried = (M, row) => origin.reduce((sum, value, d) => sum + M[4 * row + d] * value, 0);
      const moved = unit * Math.hypot(...[0, 1, 2].map((row) => carried(own, row) - carried(above, row)));
      return moved > LEAST_MOVE * LONGEST || angleBetween(own, above) > LEAST_TURN;
    }),
  );
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Degrees between the rotations of two transforms, whatever their scale. */
function angleBetween(a, b) {
  let trace = 0;
  const squares = [0, 0];
  for (let row = 0; row < 3; row++) {
    for (let d = 0; d < 3; d++) {
      trace += a[4 * row + d] * b[4 * row + d];
      squares[0] += a[4 * row + d] ** 2;
      squares[1] += b[4 * row + d] ** 2;
    }
  }
  const cosine = ((3 * trace) / Math.sqrt(squares[0] * squares[1]) - 1) / 2;
  return (180 / Math.PI) * Math.acos(Math.min(Math.max(cosine, -1), 1));
}

function longestSide(positions) {
  const sides = [0, 1, 2].map((d) => {
    let [low, high] = [Infinity, -Infinity];
    for (let k = d; k < positions.length; k += 3)
      [low, high] = [Math.min(low, positions[k]), Math.max(high, positions[k])];
    return high - low;
  });
  return Math.max(...sides);
}
