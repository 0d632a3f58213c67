/**
 * Virtual Motion Capture protocol (VMC) in: bones with positions and rotations relative to their parents, and blend shapes,
 * as senders spread them over packets; out comes a frame of joint positions.
 *
 * Unity's axes are left-handed: x changes sign, and with it the rotations about y and z. The person faces +Z.
 */
import { multiplyQuaternions, rotationFromQuaternion } from '@pelt/math';
import { nameBodyJoints } from '@pelt/model';
import type { OscMessage } from './osc.ts';
import { VMC_BONES } from './vmc-bones.ts';

/** Where joints are at one moment, and how far sliders are. */
export interface JointFrame {
  /** J names; those of `BODY_JOINTS` have that meaning */
  readonly joints: readonly string[];
  /** J × 3, right-handed, +Y up */
  readonly positions: Float32Array;
  /** J, 0 to 1 */
  readonly confidence: Float32Array;
  /** 0 to 1 by name. */
  readonly sliders: Readonly<Record<string, number>>;
}

interface LocalBone {
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

/**
 * Collects VMC messages into frames.
 *
 * @example
 * {@includeCode ../../examples/vmc.ts}
 */
export class VmcReceiver {
  readonly #bones = new Map<string, LocalBone>();
  readonly #sliders = new Map<string, number>();
  #root: LocalBone | undefined;
  /** Bones that came since the last frame. */
  readonly #fresh = new Set<string>();
  /** How many bones the sender has; 0 before one came again. */
  #expected = 0;

  /**
   * Takes a message.
   *
   * @returns a frame where its last bone has come
   */
  take({ address, args }: OscMessage): JointFrame | undefined {
    const [name, ...numbers] = args;
    if (typeof name !== 'string') return undefined;
    if (address === '/VMC/Ext/Blend/Val' && typeof numbers[0] === 'number') this.#sliders.set(name, numbers[0]);
    const isBone = address === '/VMC/Ext/Bone/Pos';
    if (!isBone && address !== '/VMC/Ext/Root/Pos') return undefined;
    const seven = numbers.slice(0, 7);
    if (seven.length < 7 || !seven.every((value) => typeof value === 'number' && Number.isFinite(value)))
      return undefined;
    const [x, y, z, qx, qy, qz, qw] = seven as number[];
    const local = { position: [-x, y, z], rotation: [qx, -qy, -qz, qw] };
    if (!isBone) {
      this.#root = local;
      return undefined;
    }
    if (!VMC_BONES.has(name)) return undefined;
    // A bone that comes again begins the next frame, and shows how many there are.
    const isNext = this.#fresh.has(name);
    if (isNext) this.#expected = this.#fresh.size;
    const before = isNext ? this.flush() : undefined;
    this.#fresh.add(name);
    this.#bones.set(name, local);
    return this.#fresh.size === this.#expected ? this.flush() : before;
  }

  /** What has come since the last frame; undefined for nothing. */
  flush(): JointFrame | undefined {
    if (this.#fresh.size === 0) return undefined;
    const frame = this.#frame();
    this.#fresh.clear();
    return frame;
  }

  #frame(): JointFrame {
    const worlds = new Map<string, LocalBone>();
    for (const [name, above] of VMC_BONES) {
      const local = this.#bones.get(name);
      if (!local) continue;
      let parent = above;
      while (parent !== '' && !worlds.has(parent)) parent = VMC_BONES.get(parent) ?? '';
      const base = parent === '' ? this.#root : worlds.get(parent);
      worlds.set(name, base ? composed(base, local) : local);
    }
    const names = [...worlds.keys()];
    const tips = names.flatMap((name) => {
      const [local, world] = [this.#bones.get(name), worlds.get(name)];
      return name.endsWith('Distal') && local && world ? [{ name, position: tipOf(local, world) }] : [];
    });
    return {
      joints: [...nameBodyJoints(names), ...tips.map(({ name }) => name.replace('Distal', 'Tip'))],
      positions: Float32Array.from([...worlds.values(), ...tips].flatMap(({ position }) => position)),
      confidence: Float32Array.from([...names, ...tips.map(({ name }) => name)], (name) =>
        this.#fresh.has(name) ? 1 : 0.5,
      ),
      sliders: Object.fromEntries(this.#sliders),
    };
  }
}

/** A last bone of a finger goes on as far as the one before, straight on at rest: without its tip it would not bend. */
function tipOf(local: LocalBone, world: LocalBone): readonly number[] {
  return composed(world, { position: local.position, rotation: [0, 0, 0, 1] }).position;
}

function composed(base: LocalBone, local: LocalBone): LocalBone {
  const R = new Float64Array(9);
  rotationFromQuaternion(Float64Array.from(base.rotation), 0, R, 0);
  const position = base.position.map((value, r) => local.position.reduce((sum, x, c) => sum + R[3 * r + c] * x, value));
  const rotation = new Float64Array(4);
  multiplyQuaternions(Float64Array.from(base.rotation), 0, Float64Array.from(local.rotation), 0, rotation, 0);
  return { position, rotation: [...rotation] };
}
