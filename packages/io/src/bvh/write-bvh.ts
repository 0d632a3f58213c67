/**
 * Writes BVH: rotations as angles about z, x, y, in the order that most programs expect, on the branch nearest to the
 * frame before, so that curves do not jump. Roots have position channels and an offset of 0; another joint has them only
 * if it slides against its parent, and then in full, offset included.
 */
import { asin, atan2, rotationFromQuaternion } from '@pelt/math';
import { type SkeletonMotion, validateSkeletonMotion } from '@pelt/model';
import { TextWriter } from '../text-writer.ts';

const DEGREES = 180 / Math.PI;
/** Sine of the middle angle beyond which the outer two turn about the same axis: only their sum is known. */
const LOCKED = 1 - 1e-12;
/** A joint whose distance from its offset stays below this share of the skeleton's size does not slide. */
const SLIDES = 1e-6;

/**
 * Writes a BVH file.
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function writeBvh(motion: SkeletonMotion): Uint8Array<ArrayBuffer> {
  validateSkeletonMotion(motion);
  const writer = new TextWriter();
  const slides = slidingJoints(motion);
  const order = depthFirst(motion);
  writer.text('HIERARCHY\n');
  writeHierarchy(motion, order, slides, writer);
  const S = motion.times.length;
  const frameTime = S > 1 ? (motion.times[S - 1] - motion.times[0]) / (S - 1) : 1 / 30;
  writer.text(`MOTION\nFrames: ${S}\nFrame Time: ${Number(frameTime.toPrecision(9))}\n`);
  const angles = new Float64Array(motion.joints.length * 3);
  for (let t = 0; t < S; t++) {
    order.forEach((j, k) => {
      if (k > 0) writer.byte(32);
      if (slides[j] === 1) {
        for (let c = 0; c < 3; c++) {
          writer.float32(Math.fround(motion.translations[3 * (t * motion.joints.length + j) + c])).byte(32);
        }
      }
      eulerAngles(motion.rotations, 4 * (t * motion.joints.length + j), angles, 3 * j, t > 0);
      for (let c = 0; c < 3; c++) {
        if (c > 0) writer.byte(32);
        writer.float32(Math.fround(angles[3 * j + c]));
      }
    });
    writer.byte(10);
  }
  return writer.toBytes();
}

/** J; 1 for roots and for joints that leave their offset. */
function slidingJoints({ joints, translations }: SkeletonMotion): Uint8Array {
  const size = joints.reduce((longest, { offset }) => Math.max(longest, Math.hypot(...offset)), 0);
  const slides = Uint8Array.from(joints, (joint) => Number(joint.parent < 0));
  for (let k = 0; k < translations.length; k++) {
    const j = Math.floor(k / 3) % joints.length;
    if (Math.abs(translations[k] - joints[j].offset[k % 3]) > SLIDES * size) slides[j] = 1;
  }
  return slides;
}

/** BVH lists a joint's whole subtree before its next sibling. */
function depthFirst({ joints }: SkeletonMotion): number[] {
  const children = joints.map((): number[] => []);
  const roots: number[] = [];
  joints.forEach((joint, j) => {
    (joint.parent < 0 ? roots : children[joint.parent]).push(j);
  });
  const order: number[] = [];
  const stack = roots.reverse();
  for (let j = stack.pop(); j !== undefined; j = stack.pop()) {
    order.push(j);
    stack.push(...children[j].reverse());
  }
  return order;
}

function writeHierarchy(
  motion: SkeletonMotion,
  order: readonly number[],
  slides: Uint8Array,
  writer: TextWriter,
): void {
  const depths = new Int32Array(motion.joints.length);
  let open = 0;
  const closeTo = (depth: number) => {
    for (; open > depth; open--) writer.text(`${'\t'.repeat(open - 1)}}\n`);
  };
  order.forEach((j, k) => {
    const { name, parent, offset, tip } = motion.joints[j];
    const depth = parent < 0 ? 0 : depths[parent] + 1;
    depths[j] = depth;
    closeTo(depth);
    const tabs = '\t'.repeat(depth);
    writer.text(`${tabs}${parent < 0 ? 'ROOT' : 'JOINT'} ${oneLine(name)}\n${tabs}{\n`);
    open = depth + 1;
    writeOffset(parent < 0 ? [0, 0, 0] : offset, depth + 1, writer);
    const positions = slides[j] === 1 ? 'Xposition Yposition Zposition ' : '';
    writer.text(`${tabs}\tCHANNELS ${positions ? 6 : 3} ${positions}Zrotation Xrotation Yrotation\n`);
    const next = k + 1 < order.length ? motion.joints[order[k + 1]].parent : -1;
    if (next === j) return;
    // A joint without children must end in a site; without a known tip it has no length.
    writer.text(`${tabs}\tEnd Site\n${tabs}\t{\n`);
    writeOffset(tip ?? [0, 0, 0], depth + 2, writer);
    writer.text(`${tabs}\t}\n`);
  });
  closeTo(0);
}

function writeOffset(offset: readonly number[], depth: number, writer: TextWriter): void {
  writer.text(`${'\t'.repeat(depth)}OFFSET`);
  for (const value of offset) writer.byte(32).float32(Math.fround(value));
  writer.byte(10);
}

/** A name that stays on its line and opens no brace. */
function oneLine(name: string): string {
  return name.replace(/[\s{}]+/g, ' ').trim() || 'joint';
}

/**
 * Degrees about z, x, y with R = Rz Rx Ry, nearest to those already in `out`.
 *
 * @param follow  whether `out` holds the frame before
 */
function eulerAngles(q: Float64Array, at: number, out: Float64Array, outAt: number, follow: boolean): void {
  const r = new Float64Array(9);
  rotationFromQuaternion(q, at, r, 0);
  const sine = Math.min(1, Math.max(-1, r[7]));
  let angles: [number, number, number];
  if (Math.abs(sine) < LOCKED) {
    angles = [atan2(-r[1], r[4]), asin(sine), atan2(-r[6], r[8])];
  } else {
    // The z and y turns have become one; y keeps what it had.
    const y = follow ? out[outAt + 2] / DEGREES : 0;
    const sum = atan2(r[3], r[0]);
    angles = [sine > 0 ? sum - y : sum + y, asin(sine), y];
  }
  const first = angles.map((angle) => angle * DEGREES);
  if (!follow) {
    out.set(first, outAt);
    return;
  }
  // The same rotation has a second set of angles; each may also go round.
  const second = [first[0] + 180, 180 - first[1], first[2] + 180];
  const [a, b] = [first, second].map((set) =>
    set.map((angle, c) => angle + 360 * Math.round((out[outAt + c] - angle) / 360)),
  );
  const distance = (set: number[]) => set.reduce((sum, angle, c) => sum + Math.abs(angle - out[outAt + c]), 0);
  out.set(distance(b) < distance(a) ? b : a, outAt);
}
