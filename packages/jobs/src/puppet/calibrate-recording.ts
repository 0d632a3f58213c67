/** Turns a recording upright and forward, by the second in which the performer stands. */
import type { Motion } from '@pelt/model';
import { calibratePerformer, type PerformerCalibration, startHeading, uprightMotion } from '@pelt/skin/puppet';
import type { Job } from '../job.ts';
import type { Checked } from '../request/table.ts';
import type { PUPPET } from './table.ts';

export interface CalibratedMotion {
  readonly motion: Motion;
  readonly calibration: PerformerCalibration | undefined;
  /** Heading of the performer in radians that corresponds to the character's front; undefined: 0 of the calibration. */
  readonly facing: number | undefined;
}

type CalibrateOptions = Pick<Checked<typeof PUPPET>['options'], 'calibrate' | 'forward'>;

export function calibrateRecording(
  motion: Motion,
  { calibrate, forward }: CalibrateOptions,
  { warn }: Pick<Job, 'warn'>,
): CalibratedMotion {
  const degrees = typeof forward === 'number' ? (forward * Math.PI) / 180 : undefined;
  const isWanted = calibrate !== 'none' && (calibrate !== 'auto' || motion.camera !== undefined);
  const towards = forward === undefined ? (motion.camera ? 'standing' : 'start') : forward;
  const frame = typeof calibrate === 'number' ? calibrate : undefined;
  const found = isWanted
    ? calibratePerformer(motion, {
        frame,
        straight: frame !== undefined,
        forward: towards === 'start' ? 'camera' : towards,
      })
    : undefined;
  if (isWanted && !found) {
    warn(
      `'${motion.name}': the performer never stands still and upright for a second, so that the camera is taken as level; ` +
        '--calibrate gives a frame, --forward a direction',
    );
  }
  if (!found) {
    const facing = towards === 'start' ? startHeading(motion) : (degrees ?? 0);
    return { motion, calibration: undefined, facing };
  }
  const upright = uprightMotion(motion, found);
  return { ...upright, facing: towards === 'start' ? startHeading(upright.motion) : undefined };
}
