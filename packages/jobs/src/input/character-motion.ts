/** An animation of a glTF as plain positions, played by the skin that is in the file. */
import type { FrameSource } from '@pelt/io';
import { type Character, type CharacterClip, type Mesh, TRANSFORM_SIZE, UsageError } from '@pelt/model';
import { type Player, playerOf } from '@pelt/skin/play/runtime';

/** Random access to the frames of one clip of a character. */
export class CharacterMotion implements FrameSource {
  readonly name: string;
  readonly label: string;
  readonly rest: Mesh;
  readonly times: Float64Array;
  readonly #player: Player;
  readonly #clip: CharacterClip;
  readonly #frame: Float32Array;

  constructor(character: Character, clip: CharacterClip, label: string) {
    this.name = clip.name;
    this.label = label;
    this.rest = character.mesh;
    this.times = clip.times;
    this.#player = playerOf(character);
    this.#clip = clip;
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
    playFrame(this.#player, this.#clip, t, whole);
    if (!vertices) return;
    for (let k = 0; k < vertices.length; k++) {
      for (let c = 0; c < 3; c++) out[3 * k + c] = whole[3 * vertices[k] + c];
    }
  }
}

/** The positions of a character in one frame of a clip. */
export function playFrame(player: Player, clip: CharacterClip, t: number, out: Float32Array): Float32Array {
  const size = player.character.joints.length * TRANSFORM_SIZE;
  const R = player.character.morphs.length;
  const pose = clip.transforms.subarray(t * size, (t + 1) * size);
  return player.positions(pose, clip.morphWeights?.subarray(t * R, (t + 1) * R), out);
}
