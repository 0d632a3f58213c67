/** Keys of the sliders: set at the playhead, moved, eased, and saved as a recording. */
import type { OpenedFace } from '../jobs/open-face.ts';
import { EASES, type Ease, type Expression, expressionAt, type FaceKey, withKey } from '../store/face.ts';
import { writeFaceRecording } from '../store/face-recording.ts';
import { Choice, Slider } from './controls.tsx';
import { download } from './download.ts';
import { useStudio } from './studio.ts';

interface FaceClipProps {
  readonly read: OpenedFace;
  readonly values: Expression;
  readonly frame: number;
  /** A recording that plays in place of keys. */
  readonly recording: object | undefined;
}

export function FaceClip({ read, values, frame, recording }: FaceClipProps) {
  const { bench, document } = useStudio();
  const { store } = bench;
  const { keys, frames, fps } = document.face.value;
  const set = (label: string, next: readonly FaceKey[], merge?: string) =>
    store.edit(label, (now) => ({ ...now, face: { ...now.face, keys: next } }), merge);
  const setLength = (change: { readonly frames?: number; readonly fps?: number }) =>
    store.edit('Change the clip', (now) => ({ ...now, face: { ...now.face, ...change } }), 'face clip');
  if (recording) return null;
  const here = keys.find((key) => key.frame === frame);
  const save = () => {
    const all = Array.from({ length: frames }, (_, t) => expressionAt(keys, t));
    download(new Blob([writeFaceRecording(read.names, all, fps)]), 'face.csv');
  };
  return (
    <section class="group" aria-label="Keys">
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => set('Key the expression', withKey(keys, { frame, values, ease: here?.ease ?? 'smooth' }))}
        >
          {here ? `Key frame ${frame + 1} again` : `Key at frame ${frame + 1}`}
        </button>
        {keys.length > 1 && (
          <button type="button" class="button" title="CSV that plays wherever recordings do" onClick={save}>
            Save CSV
          </button>
        )}
      </div>
      {keys.length > 0 && (
        <>
          <Slider
            label="Frames"
            value={frames}
            min={2}
            max={600}
            onChange={(value) => setLength({ frames: Math.max(2, Math.round(value)) })}
          />
          <Slider
            label="Frames a second"
            value={fps}
            min={1}
            max={120}
            onChange={(value) => setLength({ fps: Math.max(1, value) })}
          />
          <ul class="runs">
            {keys.map((key) => (
              <li key={key.frame}>
                <button
                  type="button"
                  class="pick plain"
                  onClick={() => {
                    store.setView({ frame: key.frame, playing: false });
                    store.edit(
                      'Go to a key',
                      (now) => ({ ...now, face: { ...now.face, values: key.values } }),
                      'face go',
                    );
                  }}
                >
                  Frame {key.frame + 1} · {Object.keys(key.values).length} on
                </button>
                <Choice
                  bare
                  label={`Ease after frame ${key.frame + 1}`}
                  value={key.ease}
                  choices={EASES.map((ease) => [ease, ease] as const)}
                  onChange={(ease: Ease) => set('Change the ease', withKey(keys, { ...key, ease }))}
                />
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove the key at frame ${key.frame + 1}`}
                  onClick={() =>
                    set(
                      'Remove a key',
                      keys.filter((other) => other !== key),
                    )
                  }
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
