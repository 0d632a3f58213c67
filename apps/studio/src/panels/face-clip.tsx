/** Keys of the sliders are on the timeline; here they are set, and saved as a recording. */
import type { OpenedFace } from '../jobs/open-face.ts';
import { keyed, slidersAt } from '../store/clips.ts';
import type { Expression } from '../store/face.ts';
import { writeFaceRecording } from '../store/face-recording.ts';
import { download } from './download.ts';
import { editClip, useKeying } from './keying.ts';
import { useStudio } from './studio.ts';

interface FaceClipProps {
  readonly read: OpenedFace;
  readonly values: Expression;
  readonly frame: number;
}

export function FaceClip({ read, values, frame }: FaceClipProps) {
  const studio = useStudio();
  const clip = studio.clip.value;
  const keys = clip.tracks.sliders;
  const keyHere = () => editClip(studio, 'Key the expression', (one) => keyed(one, 'sliders', frame, values));
  useKeying('sliders', keyHere);
  const save = () => {
    const all = Array.from({ length: clip.frames }, (_, t) => slidersAt(clip, t));
    download(new Blob([writeFaceRecording(read.names, all, clip.fps)]), 'face.csv');
  };
  return (
    <section class="row" aria-label="Keys">
      <button type="button" class="button" title="A key of all sliders at the playhead (K)" onClick={keyHere}>
        {keys.some((key) => key.frame === frame) ? `Key frame ${frame + 1} again` : `Key at frame ${frame + 1}`}
      </button>
      {keys.length > 1 && (
        <button type="button" class="button" title="CSV that plays wherever recordings do" onClick={save}>
          Save CSV
        </button>
      )}
    </section>
  );
}
