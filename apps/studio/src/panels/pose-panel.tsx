import { POSE } from '@pelt/jobs/tables';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { learnDragged } from '../jobs/dragged-poses.ts';
import { exampleLabels, hasExamples, movePoser, posingKey, posingSource, preparePoser } from '../jobs/pose-bench.ts';
import type { PosingChoices } from '../store/document.ts';
import type { StoredFile } from '../store/library.ts';
import { effectiveOptions, foldedOptions } from '../store/more-options.ts';
import { Segments } from './controls.tsx';
import { OptionFold } from './option-fold.tsx';
import { PoseHands } from './pose-hands.tsx';
import { FirstStep } from './run-card.tsx';
import { useStudio } from './studio.ts';
import { chooseFiles } from './take-files.ts';

const FROM_EXAMPLES = foldedOptions(POSE, ['handle', 'soft', 'plant'], []);
const OF_SOLVER = { more: ['ridge', 'pull'], published: [] };

/** Pull the skin, pin points, blend examples, save poses, key them, and take the clip along. */
export function PosePanel() {
  const studio = useStudio();
  const { bench, document, session } = studio;
  const { library, store } = bench;
  const input = document.input.value;
  const base = studio.character.value;
  const poser = document.poser.value;
  const choices = document.posing.value;
  const source = posingSource(choices, input, base);
  const key = source && posingKey(source, choices);
  const subject = source && (source.kind === 'run' ? source.run.id : source.input.id);
  /** What could not be prepared, or was stopped: it is not tried again by itself. */
  const failed = useSignal<string | undefined>(undefined);
  const prepared = useSignal<{ readonly key: string; readonly file: StoredFile } | undefined>(undefined);
  const task = session.task.value;
  const moved = poser?.onto !== undefined && poser.run === subject ? poser : undefined;
  const kept = library.get(subject);
  const own = prepared.value?.key === key ? prepared.value?.file : kept?.poserKey === key ? kept?.poser : undefined;
  const [file] = moved ? (library.get(moved.id)?.files ?? []) : [own];
  const prepare = async () => {
    if (!source || key === undefined) return;
    const made = await preparePoser(bench, source, choices);
    prepared.value = made && { key, file: made };
    failed.value = made ? undefined : key;
  };
  const poses = document.poses.value;
  const learn = async () => {
    const made = base && key !== undefined && (await learnDragged(bench, base, poses, key));
    if (made) prepared.value = { key, file: made };
  };
  const waits = key !== undefined && !file && !task && failed.value !== key;
  useEffect(() => {
    if (waits) void prepare();
  }, [waits, key]);
  // What was begun by itself ends by itself when another mode is opened.
  useEffect(
    () => () => {
      if (bench.store.state.session.task?.command === 'pose') bench.cancel();
    },
    [bench],
  );
  const set = (change: Partial<PosingChoices>, label: string) =>
    store.edit(`Change ${label}`, (now) => ({ ...now, posing: { ...now.posing, ...change } }), `posing ${label}`);
  const solving = Object.fromEntries(
    Object.entries(effectiveOptions(POSE, choices.more, {})).filter(([name]) => OF_SOLVER.more.includes(name)),
  );
  return (
    <>
      <div class="heading">
        <h2>Pose</h2>
        <span class="dim small">{source ? (source.kind === 'run' ? source.run.title : 'from examples') : ''}</span>
      </div>
      {!source && <FirstStep command="fit" verb="Fit bones now" text="The animation shows how the skin can move." />}
      {input && hasExamples(input) && base && (
        <Segments
          label="Learn from"
          title="Shapes keep what bones cannot show; bones are there at once"
          value={source?.kind ?? 'run'}
          choices={[
            ['examples', 'the shapes', 'Affine controls and details, learnt from the meshes that were opened'],
            ['run', 'the bones', 'The run that is shown, and its clip'],
          ]}
          onChange={(kind) => set({ learn: kind }, 'what posing learns from')}
        />
      )}
      {source && !file && (
        <p class="dim">
          Learns from the frames how the skin moves, so that any point of it can be pulled and the rest follows.
        </p>
      )}
      {source && task && (
        <button type="button" class="button wide" onClick={() => bench.cancel()}>
          Cancel · {task.stage}
        </button>
      )}
      {source && !task && !file && (
        <button type="button" class="button primary wide" onClick={() => void prepare()}>
          Prepare for posing
        </button>
      )}
      {file && (
        <PoseHands
          key={`${moved?.id ?? key} ${file.blob.size} ${JSON.stringify(solving)}`}
          file={file}
          framed={moved !== undefined}
          labels={source?.kind === 'examples' ? exampleLabels(source.input) : []}
          solving={solving}
        />
      )}
      {base && source?.kind === 'run' && file && !task && !moved && poses.length > 0 && (
        <button
          type="button"
          class="button wide"
          title="Saved poses become examples, as sculpts are: what is pulled then goes where they went"
          onClick={() => void learn()}
        >
          Add {poses.length === 1 ? 'the pose' : `${poses.length} poses`} as{' '}
          {poses.length === 1 ? 'an example' : 'examples'}
        </button>
      )}
      {own && subject && !task && (
        <button
          type="button"
          class="button wide"
          title="A rigged character in about the same rest pose: its skin can then be pulled as this one's can"
          onClick={() => chooseFiles(([other]) => void movePoser(bench, own, subject, other))}
        >
          Move onto another character …
        </button>
      )}
      {moved && <p class="dim small">The pose space is moved onto {moved.onto}.</p>}
      {source && (
        <OptionFold
          table={POSE}
          folded={source.kind === 'examples' ? FROM_EXAMPLES : OF_SOLVER}
          values={choices.more}
          chosen={{}}
          onChange={(more, option) => set({ more }, option)}
        />
      )}
    </>
  );
}
