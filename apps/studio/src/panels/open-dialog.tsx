import { useState } from 'preact/hooks';
import type { Question } from '../store/session.ts';
import { Choice, Field, Segments } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { useStudio } from './studio.ts';

const FIRST_FRAME = '';

/** What the files do not say, asked once, with a guess filled in. */
export function OpenDialog({ question }: { readonly question: Question }) {
  const { bench } = useStudio();
  const [rest, setRest] = useState(question.rest ?? FIRST_FRAME);
  const [fps, setFps] = useState(question.fps);
  const [up, setUp] = useState(question.up);
  const [clip, setClip] = useState(question.clips[0]);
  const frames = question.paths.length;
  const asksRest = question.rests.length > 1 && frames > 2;
  return (
    <Dialog
      title={frames > 2 ? `Open ${frames} frames` : 'Open an animation'}
      onClose={() => void bench.answer(undefined)}
    >
      <form
        class="group"
        onSubmit={(event) => {
          event.preventDefault();
          void bench.answer({ rest: rest === FIRST_FRAME ? undefined : rest, fps, up }, clip);
        }}
      >
        <p class="dim">
          {frames > 2
            ? `${question.paths[0]} … ${question.paths[frames - 1]}`
            : [...question.paths.slice(0, -1), clip ?? question.paths[frames - 1]].join(' + ')}
        </p>
        {clip !== undefined && (
          <Choice
            label="Animation"
            title="The others can be opened afterwards"
            value={clip}
            choices={question.clips.map((path) => [path, path] as const)}
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
