/** Whether bytes are of a video, which is often given where the motion in it is meant. */
import { UnsupportedError } from '@pelt/model';

/** What a video has to become before it can be read. */
const CURE = 'track the performer in it first, with MediaPipe Pose for one, and give the landmarks as JSON or CSV';

/** Throws `UnsupportedError` for MP4, QuickTime, Matroska, WebM and AVI. */
export function refuseVideo(name: string, head: Uint8Array): void {
  const text = String.fromCharCode(...head.subarray(0, 12));
  const isVideo = text.slice(4, 8) === 'ftyp' || text.startsWith('\x1aE\xdf\xa3') || /^RIFF.{4}AVI /s.test(text);
  if (isVideo) throw new UnsupportedError(`'${name}' is a video; ${CURE}`);
}
