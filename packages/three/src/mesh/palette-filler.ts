/** The palette of a model from its joints: each skeleton has a filler of its own, since fillers keep scratch. */
import { type Bone, TRANSFORM_SIZE } from '@pelt/model';
import { EnvelopePalette } from '@pelt/skin/envelope/runtime';
import { blendTransforms } from '@pelt/skin/reduce/runtime';
import type { PeltModel } from '../model/pelt-model.ts';

export interface PaletteFiller {
  /** Of a learnt skin: has what displacements need of the pose last given. */
  readonly driver?: EnvelopePalette;
  /**
   * @param transforms  m × 12, rest → pose in model space
   * @param palette     (added + m) × 12; overwritten
   */
  fill(transforms: Float64Array, palette: Float64Array): void;
}

export function paletteFiller({ added, masters, envelope }: PeltModel, bones: readonly Bone[]): PaletteFiller {
  if (masters) {
    return {
      fill(transforms, palette) {
        blendTransforms(masters, transforms, palette);
        palette.set(transforms, added * TRANSFORM_SIZE);
      },
    };
  }
  if (envelope) {
    const driver = new EnvelopePalette(envelope, bones);
    return {
      driver,
      fill(transforms, palette) {
        palette.set(driver.update(transforms));
      },
    };
  }
  return {
    fill(transforms, palette) {
      palette.set(transforms);
    },
  };
}
