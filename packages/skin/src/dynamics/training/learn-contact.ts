/**
 * Contacts of what swings with the body: how near to each capsule of the body the centre of each proxy came in the takes is
 * a clearance that it keeps from then on. A proxy that was never near has only its own thickness as a clearance: that a hand
 * was far from the other in the takes does not mean that it must stay there. Capsules that no proxy would enter are left
 * out, and all of them where they make the centres miss the takes by more.
 */
import { symmetricEigen } from '@pelt/math';
import {
  boundsOf,
  CAPSULE_SIZE,
  type Capsules,
  checkCancelled,
  type Dynamics,
  diagonalOf,
  type ReducedEnvelope,
  type Rig,
  type Run,
  SWING_CODE,
  TRANSFORM_SIZE,
} from '@pelt/model';
import { capsuleDistance, poseCapsules } from '../../capsules/runtime/capsule.ts';
import { fitCapsules } from '../../capsules/training/fit-capsules.ts';
import { EnvelopePalette } from '../../envelope/runtime/envelope-palette.ts';
import { SwingPlayer } from '../runtime/swing-player.ts';
import type { SwingExamples } from './train-dynamics.ts';

/** Depth, relative to the model's size, from which on a proxy in a capsule is a contact. */
const TOUCH = 0.005;
/** RMS shift, relative to the model's size, below which a part is of the body. */
const STILL = 0.005;
/** Contacts that raise the squared error of the centres by more than this factor are left out. */
const LOSS = 1.02;

/** What takes were learnt from: codes of the proxies, S × 12D a take. */
export interface LearntTakes {
  readonly takes: SwingExamples['takes'];
  readonly codes: readonly Float64Array[];
}

/** Capsules about the parts of a skin that do not swing. */
export function bodyCapsules(
  rig: Rig,
  skin: ReducedEnvelope['skin'],
  about: Float64Array,
  D: number,
  run: Run,
): Capsules {
  const shifts = new Float64Array(D);
  const S = about.length / (SWING_CODE * D);
  about.forEach((x, k) => {
    const part = k % SWING_CODE;
    if (part >= 3 && part < 6) shifts[Math.floor(k / SWING_CODE) % D] += (x * x) / S;
  });
  const limit = STILL * diagonalOf(boundsOf(rig.mesh.positions));
  const without = new Uint8Array(rig.mesh.positions.length / 3);
  for (let i = 0; i < without.length; i++) {
    let shift = 0;
    for (let s = i * skin.slots; s < (i + 1) * skin.slots; s++) {
      if (skin.bones[s] < D) shift += skin.weights[s] * Math.sqrt(shifts[skin.bones[s]]);
    }
    without[i] = shift > limit ? 1 : 0;
  }
  return fitCapsules(rig, { without }, run);
}

export function learnContact(
  envelope: ReducedEnvelope,
  dynamics: Dynamics,
  { takes, codes }: LearntTakes,
  capsules: Capsules,
  run: Run,
): Dynamics['contact'] {
  const D = dynamics.bones.length;
  const C = capsules.bones.length;
  if (C === 0) return undefined;
  const size = diagonalOf(boundsOf(envelope.rig.mesh.positions));
  const thickness = thicknessOf(envelope, dynamics);
  const clearances = Float64Array.from({ length: D * C }, (_, k) => thickness[Math.floor(k / C)]);
  const depths = new Float64Array(C);
  const centres = new CentreRoll(envelope, dynamics, capsules);
  takes.forEach(({ clip }, k) => {
    checkCancelled(run);
    centres.shown(clip, codes[k], (d, c, distance) => {
      clearances[d * C + c] = Math.min(clearances[d * C + c], distance);
    });
  });
  for (const { clip } of takes) {
    checkCancelled(run);
    centres.played(clip, (d, c, distance) => {
      depths[c] = Math.max(depths[c], clearances[d * C + c] - distance);
    });
  }
  const touched = Array.from(depths.keys()).filter((c) => depths[c] > TOUCH * size);
  if (touched.length === 0) return undefined;
  const contact = {
    bones: Uint16Array.from(touched, (c) => capsules.bones[c]),
    shapes: Float64Array.from(
      touched.flatMap((c) => [...capsules.shapes.subarray(CAPSULE_SIZE * c, CAPSULE_SIZE * (c + 1))]),
    ),
    clearances: Float64Array.from({ length: D * touched.length }, (_, k) => {
      return clearances[Math.floor(k / touched.length) * C + touched[k % touched.length]];
    }),
  };
  const errorOf = (tried: Dynamics) =>
    takes.reduce((sum, { clip }, k) => sum + new CentreRoll(envelope, tried, capsules).error(clip, codes[k]), 0);
  return errorOf({ ...dynamics, contact }) <= LOSS * errorOf(dynamics) ? contact : undefined;
}

/** Half the thickness of the vertices of each proxy, along their shortest extent: of a sheet 0, of a tube its radius. */
function thicknessOf({ rig, skin }: ReducedEnvelope, { bones, centres }: Dynamics): Float64Array {
  const p = rig.mesh.positions;
  const D = bones.length;
  const place = new Map(Array.from(bones, (bone, d) => [bone, d]));
  const moments = new Float64Array(9 * D);
  const total = new Float64Array(D);
  skin.weights.forEach((w, s) => {
    const d = place.get(skin.bones[s]);
    if (w === 0 || d === undefined) return;
    const i = Math.floor(s / skin.slots);
    total[d] += w;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c <= r; c++) {
        moments[9 * d + 3 * r + c] += w * (p[3 * i + r] - centres[3 * d + r]) * (p[3 * i + c] - centres[3 * d + c]);
      }
    }
  });
  return total.map((weight, d) => {
    const { values } = symmetricEigen(moments.subarray(9 * d, 9 * d + 9), 3);
    return Math.sqrt((2 * Math.max(0, values[0])) / (weight || 1));
  });
}

type Visit = (d: number, c: number, distance: number) => void;
type PosedClip = SwingExamples['takes'][number]['clip'];

/** The centres of the proxies over a clip, as the takes show them and as they are played. */
class CentreRoll {
  readonly #palette: EnvelopePalette;
  readonly #player: SwingPlayer;
  readonly #dynamics: Dynamics;
  readonly #capsules: Capsules;
  readonly #m: number;
  readonly #normal = new Float64Array(3);
  readonly #posed: Float64Array;
  readonly #shownAt = new Float64Array(3);
  readonly #playedAt = new Float64Array(3);

  constructor(envelope: ReducedEnvelope, dynamics: Dynamics, capsules: Capsules) {
    const { bones } = envelope.rig;
    this.#palette = new EnvelopePalette(envelope, bones);
    this.#player = new SwingPlayer(dynamics, bones);
    this.#dynamics = dynamics;
    this.#capsules = capsules;
    this.#m = bones.length;
    this.#posed = new Float64Array(capsules.shapes.length);
  }

  shown(clip: PosedClip, codes: Float64Array, visit: Visit): void {
    for (let t = 0; t < clip.times.length; t++) {
      const bones = this.#update(clip, t);
      this.#eachPair((d) => this.#shown(bones, codes, t, d), visit);
    }
  }

  played(clip: PosedClip, visit: Visit): void {
    const state = this.#player.createState();
    for (let t = 0; t < clip.times.length; t++) {
      const bones = this.#update(clip, t);
      this.#player.step(state, this.#pose(clip, t), t > 0 ? clip.times[t] - clip.times[t - 1] : 0);
      this.#player.apply(state, bones);
      this.#eachPair((d) => this.#played(bones, d), visit);
    }
  }

  /** Sum of squared distances between both. */
  error(clip: PosedClip, codes: Float64Array): number {
    const state = this.#player.createState();
    let sum = 0;
    for (let t = 0; t < clip.times.length; t++) {
      const bones = this.#update(clip, t);
      const still = bones.slice();
      this.#player.step(state, this.#pose(clip, t), t > 0 ? clip.times[t] - clip.times[t - 1] : 0);
      this.#player.apply(state, bones);
      for (let d = 0; d < this.#dynamics.bones.length; d++) {
        const [a, b] = [this.#shown(still, codes, t, d), this.#played(bones, d)];
        for (let c = 0; c < 3; c++) sum += (a[c] - b[c]) ** 2;
      }
    }
    return sum;
  }

  #update(clip: PosedClip, t: number): Float64Array {
    const bones = this.#palette.update(this.#pose(clip, t));
    poseCapsules(this.#capsules, bones, bones.length / TRANSFORM_SIZE - this.#m, this.#posed);
    return bones;
  }

  #pose({ transforms }: PosedClip, t: number): Float64Array {
    const size = TRANSFORM_SIZE * this.#m;
    return transforms.subarray(t * size, (t + 1) * size);
  }

  #eachPair(place: (d: number) => Float64Array, visit: Visit): void {
    for (let d = 0; d < this.#dynamics.bones.length; d++) {
      const [x, y, z] = place(d);
      for (let c = 0; c < this.#capsules.bones.length; c++) {
        visit(d, c, capsuleDistance(this.#posed, c, x, y, z, this.#normal));
      }
    }
  }

  /** T (c + t): the centre with the shift of its code. */
  #shown(bones: Float64Array, codes: Float64Array, t: number, d: number): Float64Array {
    const { centres, bones: swinging } = this.#dynamics;
    const code = SWING_CODE * (t * swinging.length + d) + 3;
    const [x, y, z] = [0, 1, 2].map((c) => centres[3 * d + c] + codes[code + c]);
    return carried(bones, TRANSFORM_SIZE * swinging[d], x, y, z, this.#shownAt);
  }

  #played(bones: Float64Array, d: number): Float64Array {
    const { centres, bones: swinging } = this.#dynamics;
    const [x, y, z] = centres.subarray(3 * d, 3 * d + 3);
    return carried(bones, TRANSFORM_SIZE * swinging[d], x, y, z, this.#playedAt);
  }
}

function carried(T: Float64Array, at: number, x: number, y: number, z: number, out: Float64Array): Float64Array {
  for (let r = 0; r < 3; r++) {
    const row = at + 4 * r;
    out[r] = T[row] * x + T[row + 1] * y + T[row + 2] * z + T[row + 3];
  }
  return out;
}
