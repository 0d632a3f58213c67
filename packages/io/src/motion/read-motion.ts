import { InputError, type Motion, resolveOptions, UnsupportedError } from '@pelt/model';
import { jointPositions } from '../bvh/joint-positions.ts';
import { readBvh } from '../bvh/read-bvh.ts';
import { refuseLfsPointer } from '../lfs-pointer.ts';
import { fileLabel } from '../read-options.ts';
import { refuseVideo } from '../video-file.ts';
import { mediapipeExtraColumns } from './mediapipe-frames.ts';
import { readNumberTable } from './number-table.ts';
import { isKinectTable, readKinect } from './read-kinect.ts';
import { READ_MEDIAPIPE_DEFAULTS, type ReadMediapipeOptions, readMediapipe } from './read-mediapipe.ts';

const SPACE = 32;

export type ReadMotionOptions = ReadMediapipeOptions;

export const READ_MOTION_DEFAULTS: ReadMotionOptions = READ_MEDIAPIPE_DEFAULTS;

/**
 * Reads recorded joint positions: BVH, landmarks of MediaPipe Pose as JSON or CSV, or the joints of a Kinect.
 *
 * @param bytes  of the file
 * @example
 * {@includeCode ../../examples/motion.ts}
 */
export function readMotion(bytes: Uint8Array, options?: Partial<ReadMotionOptions>): Motion {
  const resolved = resolveOptions('readMotion', READ_MOTION_DEFAULTS, options);
  const { name, onWarning, fps } = resolved;
  refuseLfsPointer(name, bytes);
  refuseVideo(name, bytes);
  refuseBinary(name, bytes);
  if (bytes.every((byte) => byte <= SPACE)) throw new InputError(`${fileLabel('motion', name)}: the file is empty`);
  const start = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart();
  if (/^hierarchy\b/i.test(start)) return jointPositions(readBvh(bytes, { name, onWarning }));
  if (/^[[{]/.test(start)) return readMediapipe(bytes, resolved);
  const { rows } = readNumberTable(bytes, fileLabel('motion', name));
  const width = rows[0].length;
  if (isKinectTable(width, rows.length)) return readKinect(bytes, { name, onWarning, fps });
  if (mediapipeExtraColumns(width) >= 0) return readMediapipe(bytes, resolved);
  throw new UnsupportedError(
    `${fileLabel('motion', name)}: rows of ${width} numbers are of no known tracker; ` +
      'it should be BVH, a Kinect or a MediaPipe Pose recording',
  );
}

/** Formats by how they begin, none of which is text with numbers. */
const BINARIES: readonly (readonly [string, string])[] = [
  ['glTF', 'a glTF file; read it as one'],
  ['Kaydara FBX Binary', 'an FBX file; read it as one'],
  ['POINTCACHE2', 'a PC2 cache of points, without joints'],
  ['Ogawa', 'an Alembic archive, without joints'],
  ['BLENDER', 'a Blender file; export its armature as BVH or glTF'],
  ['PXR-USDC', 'a USD file; export its skeleton as BVH or glTF'],
  ['PK\x03\x04', 'a zip archive; unpack it'],
  ['\x1f\x8b', 'a gzip archive; unpack it'],
  ['\x89PNG', 'a picture'],
  ['\xff\xd8', 'a picture'],
];

/** A binary file is named for what it is. */
function refuseBinary(name: string, bytes: Uint8Array): void {
  const head = String.fromCharCode(...bytes.subarray(0, 64));
  const known = BINARIES.find(([start]) => head.startsWith(start));
  const what = known?.[1] ?? (head.includes('\0') ? 'a binary file of no known kind' : undefined);
  if (what === undefined) return;
  throw new UnsupportedError(
    `${fileLabel('motion', name)}: it is ${what}; a motion is BVH, glTF, VRMA, FBX, or a Kinect or MediaPipe Pose recording`,
  );
}
