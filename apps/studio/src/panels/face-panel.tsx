import { SLIDERS } from '@pelt/jobs/tables';
import type { SliderClip } from '@pelt/model';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../jobs/ask.ts';
import { faceFile, fitFace, giveRecording, readFace } from '../jobs/face-bench.ts';
import type { OpenedFace } from '../jobs/open-face.ts';
import { type EditedClip, slidersAt } from '../store/clips.ts';
import type { Expression, FaceDocument } from '../store/face.ts';
import { foldedOptions } from '../store/more-options.ts';
import { commandLine } from '../store/requests.ts';
import { facePair } from '../viewport/face-pair.ts';
import { kilobytes, seconds } from './amounts.ts';
import { Segments, Slider } from './controls.tsx';
import { download } from './download.ts';
import { FaceClip } from './face-clip.tsx';
import { FaceSliders } from './face-sliders.tsx';
import { useOnionSkins } from './onion-skins.ts';
import { OptionFold } from './option-fold.tsx';
import { RunCard } from './run-card.tsx';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

const FOLDED = foldedOptions(SLIDERS, ['bones', 'weights'], []);

/** Sliders of a face: fitted as bones, tried one by one beside the blend shapes, keyed, or driven by a recording. */
export function FacePanel() {
  const { bench, document, session } = useStudio();
  const { store } = bench;
  const face = document.face.value;
  const input = document.input.value;
  const task = session.task.value;
  const file = faceFile(bench);
  const set = (change: Partial<FaceDocument>, label: string) =>
    store.edit(`Change ${label}`, (now) => ({ ...now, face: { ...now.face, ...change } }), `face ${label}`);
  const isFace = input?.face !== undefined || input?.choices.rest !== undefined;
  return (
    <>
      <div class="heading">
        <h2>Face</h2>
        <span class="dim small">{file?.path ?? ''}</span>
      </div>
      {!file && !isFace && (
        <>
          <p class="dim">
            Open a face with blend shapes: a glTF or FBX with named morph targets, or a neutral face and one OBJ for
            each shape.
          </p>
          <button type="button" class="button primary wide" onClick={() => chooseFiles((files) => bench.offer(files))}>
            Open a face …
          </button>
        </>
      )}
      {isFace && input?.face !== 'fitted' && (
        <>
          {!file && (
            <p class="dim">Finds bones that follow the sliders of the blend shapes, in a tenth of the bytes.</p>
          )}
          <div class="group">
            <Slider
              label="Bones"
              title="More follow the shapes more closely, and cost more"
              value={face.bones}
              min={2}
              max={160}
              onChange={(bones) => set({ bones: Math.max(2, Math.round(bones)) }, 'bones')}
            />
            <Segments
              label="Weights per vertex"
              value={face.weights}
              choices={[
                [4, '4'],
                [8, '8'],
              ]}
              onChange={(weights) => set({ weights }, 'weights')}
            />
            <OptionFold
              table={SLIDERS}
              folded={FOLDED}
              values={face.more}
              chosen={{}}
              onChange={(more, option) => set({ more }, option)}
            />
          </div>
          {task ? (
            <button type="button" class="button wide" onClick={() => bench.cancel()}>
              Cancel
            </button>
          ) : (
            <button type="button" class={`button wide ${file ? '' : 'primary'}`} onClick={() => void fitFace(bench)}>
              {file ? 'Fit sliders again' : 'Fit sliders'}
            </button>
          )}
          {task && <RunCard />}
        </>
      )}
      {file && !task && <Sliders key={face.fitted?.id ?? input?.id} />}
    </>
  );
}

/** The face on the stage, and everything that moves it. */
function Sliders() {
  const { bench, document, view, viewport, clip } = useStudio();
  const { store, library } = bench;
  const now = clip.value;
  const face = document.face.value;
  const opened = useSignal<OpenedFace | undefined>(undefined);
  const recording = useSignal<SliderClip | undefined>(undefined);
  const file = faceFile(bench);
  const shown = viewport.value;
  useEffect(() => {
    let closed = false;
    const fail = (error: Error) => closed || store.setSession({ notice: { kind: 'error', text: error.message } });
    if (file) {
      readFace(bench, file).then((read) => {
        if (!closed) opened.value = read;
      }, fail);
    }
    return () => {
      closed = true;
    };
  }, [file, bench, store, opened]);
  useEffect(() => {
    let closed = false;
    const [kept] = library.get(face.recording?.id)?.files ?? [];
    recording.value = undefined;
    if (kept && opened.value) {
      ask({ type: 'recording', file: kept, names: opened.value.names }).then(
        (clip) => {
          if (!closed) recording.value = clip;
        },
        ({ message: text }: Error) => closed || store.setSession({ notice: { kind: 'error', text } }),
      );
    }
    return () => {
      closed = true;
    };
  }, [face.recording?.id, opened.value, library, recording, store]);

  const read = opened.value;
  const values = useRef(new Float32Array(0));
  const source = useRef<(frame: number) => Expression | readonly number[]>(() => ({}));
  source.current = sourceOf(read, face, now, recording.value);
  const key = read && shown;
  useEffect(() => {
    if (!read || !shown) return undefined;
    values.current = new Float32Array(read.names.length);
    const valuesAt = (frame: number) => {
      const now = source.current(frame);
      read.names.forEach((name, s) => {
        values.current[s] = (Array.isArray(now) ? now[s] : (now as Expression)[name]) ?? 0;
      });
      return values.current;
    };
    shown.showPair(facePair(read, valuesAt));
    const given = read.original ? 'Blend shapes' : undefined;
    const result = `${read.rig.bones.length} joints, ${read.names.length} sliders`;
    store.setSession({ pair: { given, result, p999: read.p999 } });
    if (read.original) store.setView({ colouring: 'heat' });
    return () => {
      shown.showPair(undefined);
      store.setSession({ pair: undefined });
    };
  }, [key, read, shown, store]);
  const taken = recording.value;
  useEffect(() => {
    if (!taken) return undefined;
    store.setSession({ clip: { frames: recordingLength(taken), fps: RECORDING_FPS } });
    return () => store.setSession({ clip: undefined });
  }, [taken, store]);
  useOnionSkins(
    (at) => read && { positions: posedFace(read, slidersAt(now, at)), triangles: read.rig.mesh.triangles },
    read !== undefined,
  );
  useEffect(() => shown?.invalidate(), [face.values, face.at, now, recording.value, shown]);
  if (!read) return <p class="dim">Opening the face …</p>;
  const frame = view.frame.value;
  const playing = source.current(frame);
  const current: Expression = Array.isArray(playing)
    ? Object.fromEntries(read.names.map((name, s) => [name, playing[s]]))
    : (playing as Expression);
  return (
    <>
      <Figures face={face} read={read} />
      <FaceSliders read={read} values={current} frame={frame} />
      {!taken && <FaceClip read={read} values={current} frame={frame} />}
      <button
        type="button"
        class="button wide"
        title="CSV with ARKit's names, as phone apps write it"
        onClick={() => chooseFiles(([chosen]) => giveRecording(bench, chosen))}
      >
        {face.recording ? `Recording: ${face.recording.name}` : 'Play a recording …'}
      </button>
      {face.recording && (
        <button
          type="button"
          class="button wide"
          onClick={() =>
            store.edit('Remove the recording', (now) => ({ ...now, face: { ...now.face, recording: undefined } }))
          }
        >
          Stop playing it
        </button>
      )}
    </>
  );
}

/** n × 3 positions in an expression. */
function posedFace(read: OpenedFace, values: Expression): Float32Array {
  const { rest, pose } = facePair(read, () => read.names.map((name) => values[name] ?? 0)).result;
  const out = new Float32Array(rest.length);
  pose(0, out);
  return out;
}

/** At which the timeline counts a recording. */
const RECORDING_FPS = 60;

function recordingLength({ times }: SliderClip): number {
  return Math.max(2, Math.round((times.at(-1) ?? 0) * RECORDING_FPS) + 1);
}

/** What the sliders are at a frame: a recording goes before keys, and keys before what was set by hand elsewhere. */
function sourceOf(
  read: OpenedFace | undefined,
  { values, at }: FaceDocument,
  clip: EditedClip,
  recording: SliderClip | undefined,
): (frame: number) => Expression | readonly number[] {
  if (read && recording) {
    const S = read.names.length;
    return (frame) => {
      const time = frame / RECORDING_FPS;
      const row = Math.max(
        0,
        recording.times.findLastIndex((at) => at <= time + 1e-6),
      );
      return Array.from(recording.values.subarray(row * S, (row + 1) * S));
    };
  }
  return clip.tracks.sliders.length > 1 ? (frame) => (frame === at ? values : slidersAt(clip, frame)) : () => values;
}

interface Report {
  readonly unit?: string;
  readonly bones?: number;
  readonly error?: { readonly rms: number; readonly largest?: number; readonly max?: number };
}

/** How good and how large it is, with the command that makes the same bytes. */
function Figures({ face, read }: { readonly face: FaceDocument; readonly read: OpenedFace }) {
  const { bench } = useStudio();
  const file = faceFile(bench);
  const { fitted } = face;
  if (!fitted || !file) return null;
  const { unit = '', error } = fitted.report as Report;
  return (
    <section class="card group" aria-label="Sliders">
      <div class="row">
        <span>
          <span class="figure">{error ? error.rms.toPrecision(2) : '–'}</span> {unit}
          <br />
          <span class="dim small">RMS, each of {read.names.length} sliders fully on</span>
        </span>
        <span class="dim small">{seconds(fitted.seconds)}</span>
      </div>
      <button type="button" class="button wide" onClick={() => download(file.blob, file.path)}>
        Save GLB · {kilobytes(fitted.bytes)}
      </button>
      <details>
        <summary class="dim small">The same bytes from a terminal</summary>
        <pre class="command">
          {commandLine({ command: 'sliders', inputs: fitted.inputs, output: file.path, options: fitted.options })}
        </pre>
      </details>
    </section>
  );
}
