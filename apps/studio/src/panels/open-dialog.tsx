import { useState } from 'preact/hooks';
import type { RigUse } from '../jobs/workbench.ts';
import type { NamedClip } from '../store/document.ts';
import type { Question } from '../store/session.ts';
import { Choice, Field, Segments } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { useStudio } from './studio.ts';

const FIRST_FRAME = '';
const ALL_CLIPS = '';

/** What the files do not say, asked once, with a guess filled in. */
export function OpenDialog({ question }: { readonly question: Question }) {
  const { bench } = useStudio();
  const [rest, setRest] = useState(question.rest ?? FIRST_FRAME);
  const [fps, setFps] = useState(question.fps);
  const [up, setUp] = useState(question.up);
  const [use, setUse] = useState<RigUse>('both');
  // Caches of one mesh can be opened together; scenes have meshes of their own.
  const together = question.clips.length > 1 && question.paths.length === 2;
  const [clip, setClip] = useState(together ? ALL_CLIPS : question.clips[0]);
  const frames = question.paths.length;
  const asksRest = question.rests.length > 1 && frames > 2;
  return (
    <Dialog
      title={
        question.rig !== undefined ? 'Rig and examples?' : frames > 2 ? `Open ${frames} frames` : 'Open an animation'
      }
      onClose={() => void bench.answer(undefined)}
    >
      <form
        class="group"
        onSubmit={(event) => {
          event.preventDefault();
          const all = clip === ALL_CLIPS ? clipsOf(question.clips) : undefined;
          void bench.answer({ rest: rest === FIRST_FRAME ? undefined : rest, fps, up, clip: all }, clip, use);
        }}
      >
        <p class="dim">
          {frames > 2
            ? `${question.paths[0]} … ${question.paths[frames - 1]}`
            : [...question.paths.slice(0, -1), ...chosenFiles(question, clip)].join(' + ')}
        </p>
        {question.rig !== undefined && (
          <Choice
            label="Open"
            title="A rig and the shapes that it shall show in the frames of its clip, or one of them alone"
            value={use}
            choices={[
              ['both', 'the rig and its examples'],
              ['rig', `${question.rig} alone`],
              ['shapes', 'the shapes alone'],
            ]}
            onChange={setUse}
          />
        )}
        {clip !== undefined && (
          <Choice
            label="Animation"
            title="One of them, or all behind each other as clips of one rig"
            value={clip}
            choices={[
              ...(together ? [[ALL_CLIPS, `all ${question.clips.length}, as clips`] as const] : []),
              ...question.clips.map((path) => [path, path] as const),
            ]}
            onChange={setClip}
          />
        )}
        {asksRest && (
          <Choice
            label="Rest pose"
            value={rest}
            choices={[
              [FIRST_FRAME, 'the first frame'] as const,
              ...question.rests.map((path) => [path, path] as const),
            ]}
            onChange={setRest}
          />
        )}
        {fps !== undefined && (
          <Field label="Frames per second">
            <input
              type="number"
              min={1}
              max={1000}
              step="any"
              required
              value={fps}
              onInput={(event) => setFps(Number(event.currentTarget.value))}
            />
          </Field>
        )}
        {up !== undefined && (
          <Segments
            label="Up axis"
            value={up}
            choices={[
              ['y', 'Y'],
              ['z', 'Z'],
            ]}
            onChange={setUp}
          />
        )}
        <div class="actions">
          <button type="button" class="button" onClick={() => void bench.answer(undefined)}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Open
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function chosenFiles({ paths, clips }: Question, clip: string | undefined): readonly string[] {
  if (clip === ALL_CLIPS) return clips;
  return [clip ?? paths[paths.length - 1]];
}

/** Clips called as their files, or by their paths where two files are called alike. */
function clipsOf(paths: readonly string[]): NamedClip[] {
  const stems = paths.map((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''));
  const unique = new Set(stems).size === stems.length;
  return paths.map((path, k) => ({ name: unique ? stems[k] : path, files: [path] }));
}
