/** An animation of a glTF as plain positions, played by the skin that is in the file. */
import type { FrameSource } from '@pelt/io';
import { type Character, type CharacterClip, type Mesh, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { type SwingState, startClip } from '@pelt/skin/dynamics/runtime';
import { type Player, playerOf } from '@pelt/skin/play/runtime';

/** Random access to the frames of one clip of a character. */
export class CharacterMotion implements FrameSource {
  readonly name: string;
  readonly label: string;
  readonly rest: Mesh;
  readonly times: Float64Array;
  readonly start: number;
  readonly #playback: ClipPlayback;
  readonly #frame: Float32Array;

  /** @param start  second of the file at which the clip begins */
  constructor(character: Character, clip: CharacterClip, label: string, start = 0) {
    this.name = clip.name;
    this.label = label;
    this.rest = character.mesh;
    this.times = clip.times;
    this.start = start;
    this.#playback = new ClipPlayback(playerOf(character), clip);
    this.#frame = new Float32Array(character.mesh.positions.length);
  }

  /**
   * @param t         frame number, 0 to S − 1
   * @param out       n × 3 positions, or m × 3 if `vertices` is given; overwritten
   * @param vertices  m vertex indices, in any order; absent: all vertices
   */
  readFrame(t: number, out: Float32Array, vertices?: ArrayLike<number>): void {
    if (!(Number.isInteger(t) && t >= 0 && t < this.times.length)) {
      throw new UsageError(`${this.label}: there is no frame ${t}; there are ${this.times.length}`);
    }
    const whole = vertices ? this.#frame : out;
    this.#playback.readFrame(t, whole);
    if (!vertices) return;
    for (let k = 0; k < vertices.length; k++) {
      for (let c = 0; c < 3; c++) out[3 * k + c] = whole[3 * vertices[k] + c];
    }
  }
}

/**
 * The positions of a character in the frames of one clip, in any order; frames of one that swings are best read one after
 * the other, as each depends on those before it. The first pose counts as held, unless the clip is a loop: that is run
 * until it is periodic.
 */
export class ClipPlayback {
  readonly #player: Player;
  readonly #clip: CharacterClip;
  readonly #state: SwingState | undefined;
  /** The frame that the state is at. */
  #at = -1;

  /** @param clip  over the joints of the character */
  constructor(player: Player, clip: CharacterClip) {
    this.#player = player;
    this.#clip = clip;
    this.#state = player.swing?.createState();
  }

  readFrame(t: number, out: Float32Array): Float32Array {
    const R = this.#player.character.morphs.length;
    this.#advance(t);
    const morphs = this.#clip.morphWeights?.subarray(t * R, (t + 1) * R);
    return this.#player.positions(this.#pose(t), morphs, out, this.#state);
  }

  #advance(t: number): void {
    const [state, swing] = [this.#state, this.#player.swing];
    if (!state || !swing) return;
    const { times } = this.#clip;
    if (this.#at < 0 || t < this.#at) {
      startClip(swing, state, this.#clip);
      this.#at = 0;
    }
    while (this.#at < t) {
      this.#at++;
      swing.step(state, this.#pose(this.#at), times[this.#at] - times[this.#at - 1]);
    }
  }

  #pose(t: number): Float64Array {
    const size = this.#player.character.joints.length * TRANSFORM_SIZE;
    return this.#clip.transforms.subarray(t * size, (t + 1) * size);
  }
}
