/** Secondary motion of a skeleton: its player and the state of one figure. */
import { type Bone, type Dynamics, TRANSFORM_SIZE } from '@pelt/model';
import { type SwingOptions, SwingPlayer, type SwingState } from '@pelt/skin/dynamics/runtime';
import { Matrix4, Vector3 } from 'three';
import { rowsOf } from '../model/geometry-rig.ts';

export class SkeletonSwing {
  readonly player: SwingPlayer;
  /** Of the figure that is shown; a crowd has one for each of its instances. */
  state: SwingState;
  /** Whether it has been advanced: until then the pose-only skin is shown. */
  started = false;
  readonly #placed: Float64Array;
  readonly #world = new Float64Array(TRANSFORM_SIZE);
  readonly #matrix = new Matrix4();
  readonly #scale = new Vector3();

  /** @param bones  m joints of the skeleton */
  constructor(dynamics: Dynamics, bones: readonly Bone[], options?: Partial<SwingOptions>) {
    this.player = new SwingPlayer(dynamics, bones, options);
    this.state = this.player.createState();
    this.#placed = new Float64Array(TRANSFORM_SIZE * bones.length);
  }

  /**
   * Advances the state to a pose. Where the figure is in the world counts: moving it makes it swing, too.
   *
   * @param transforms  m × 12, rest → pose in the figure's own space
   * @param world       of the figure; absent: it stands still
   */
  step(transforms: Float64Array, seconds: number, world: Matrix4 | undefined): void {
    this.started = true;
    this.player.step(this.state, world ? this.#place(transforms, world) : transforms, seconds);
  }

  /** Forgets all motion: the next pose counts as one that has been held. */
  reset(): void {
    this.player.reset(this.state);
  }

  apply(palette: Float64Array): void {
    if (this.started) this.player.apply(this.state, palette);
  }

  /** The pose in the world, in units of the figure: it was trained in its own size. */
  #place(transforms: Float64Array, world: Matrix4): Float64Array {
    const scale = this.#scale.setFromMatrixScale(world);
    const size = Math.cbrt(scale.x * scale.y * scale.z) || 1;
    const W = rowsOf(this.#matrix.copy(world).multiplyScalar(1 / size), this.#world, 0);
    const out = this.#placed;
    for (let at = 0; at < transforms.length; at += TRANSFORM_SIZE) {
      for (let r = 0; r < TRANSFORM_SIZE; r += 4) {
        for (let c = 0; c < 4; c++) {
          const sum = W[r] * transforms[at + c] + W[r + 1] * transforms[at + 4 + c] + W[r + 2] * transforms[at + 8 + c];
          out[at + r + c] = c === 3 ? sum + W[r + 3] : sum;
        }
      }
    }
    return out;
  }
}
