/** Pairs as cards: what the performer does on the left, what the character does with it on the right. */
import type { PairsDocument } from '@pelt/model';
import { useSignal } from '@preact/signals';
import type { Rehearsal } from '../jobs/rehearse.ts';
import { limbsOf } from '../store/performer.ts';
import {
  exchangedPoses,
  freePairName,
  type PosePairSource,
  renamedPair,
  spokenPose,
  withoutPair,
  withPair,
} from '../store/registration.ts';
import { pairColour } from './pair-colours.ts';
import { useStudio } from './studio.ts';

interface PairCardsProps {
  readonly document: PairsDocument;
  readonly rehearsal: Rehearsal;
  /** The pair at the playhead. */
  readonly here: string | undefined;
  readonly fps: number;
  readonly onGo: (pair: PosePairSource) => void;
  readonly onChange: (label: string, next: PairsDocument | undefined) => void;
}

export function PairCards({ document, rehearsal, here, fps, onGo, onChange }: PairCardsProps) {
  const { view, document: project } = useStudio();
  /** The card of a character's pose that is being dragged: a pair's, or a saved pose. */
  const dragged = useSignal<string | undefined>(undefined);
  const over = useSignal<string | undefined>(undefined);
  const time = view.frame.value / fps;
  const poses = project.poses.value;
  if (document.pairs.length === 0 && poses.length === 0) return null;
  const take = (name: string | undefined) => {
    dragged.value = name;
  };
  const drop = (pair: PosePairSource) => {
    const from = dragged.value;
    dragged.value = over.value = undefined;
    if (from === undefined || from === pair.name) return;
    const pose = poses.find(({ id }) => id === from);
    if (pose) {
      const handles = Object.fromEntries(pose.handles.map(({ vertex, target }) => [vertex, target]));
      onChange(`Pair ${pair.name} with ${pose.name}`, withPair(document, { ...pair, character: { handles } }));
    } else onChange('Exchange poses', exchangedPoses(document, from, pair.name));
  };
  return (
    <section class="pair-cards" aria-label="Pairs">
      <div class="row dim small" aria-hidden="true">
        <span>The performer</span>
        <span>The character</span>
      </div>
      {document.pairs.map((pair, k) => (
        <section
          key={pair.name}
          class="pair"
          aria-label={pair.name}
          data-here={pair.name === here}
          data-over={pair.name === over.value}
          onDragOver={(event) => {
            event.preventDefault();
            event.stopPropagation();
            over.value = pair.name;
          }}
          onDragLeave={() => {
            if (over.value === pair.name) over.value = undefined;
          }}
          onDrop={(event) => {
            event.preventDefault();
            event.stopPropagation();
            drop(pair);
          }}
        >
          <button
            type="button"
            class="pair-card"
            title={dragged.value === undefined ? `Go to ${pair.name}` : 'Put the pose here'}
            onClick={() => (dragged.value === undefined ? onGo(pair) : drop(pair))}
          >
            <Figure rehearsal={rehearsal} name={pair.name} colour={pairColour(k)} />
            <span class="small dim">{'time' in pair.performer ? `${pair.performer.time.toFixed(2)} s` : 'held'}</span>
          </button>
          <div class="pair-names">
            <input
              type="text"
              aria-label={`Name of ${pair.name}`}
              defaultValue={pair.name}
              onChange={({ currentTarget }) => {
                onChange(`Rename ${pair.name}`, renamedPair(document, pair.name, currentTarget.value));
                currentTarget.value = pair.name;
              }}
            />
            <button
              type="button"
              class="pose-card small"
              draggable
              aria-pressed={dragged.value === pair.name}
              title="Drag onto another performer's pose to exchange the two, or click both"
              onDragStart={() => take(pair.name)}
              onClick={() => take(dragged.value === pair.name ? undefined : pair.name)}
            >
              {pair.name === document.neutral ? 'neutral · ' : ''}
              {spokenPose(pair)}
            </button>
            <span class="row">
              <button
                type="button"
                class="quiet"
                title="The performer's pose of this pair is that at the playhead"
                onClick={() =>
                  onChange(
                    `Move ${pair.name}`,
                    withPair(document, { ...pair, performer: { time: Number(time.toFixed(4)) } }),
                  )
                }
              >
                To {time.toFixed(2)} s
              </button>
              {pair.name !== document.neutral && (
                <button
                  type="button"
                  class="quiet"
                  title="The pair that the others depart from"
                  onClick={() => onChange('Change the neutral pair', { ...document, neutral: pair.name })}
                >
                  Neutral
                </button>
              )}
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${pair.name}`}
                onClick={() => onChange(`Remove ${pair.name}`, withoutPair(document, pair.name))}
              >
                ×
              </button>
            </span>
          </div>
        </section>
      ))}
      {poses.length > 0 && (
        <div class="row loose-poses">
          {poses.map(({ id, name, handles }) => (
            <span key={id}>
              <button
                type="button"
                class="pose-card small"
                draggable
                aria-pressed={dragged.value === id}
                title="A pose that was dragged in Pose: drop it on a performer's pose, or click both"
                onDragStart={() => take(id)}
                onClick={() => take(dragged.value === id ? undefined : id)}
              >
                {name}
              </button>
              <button
                type="button"
                class="quiet"
                title={`Pair it with the performer at ${time.toFixed(2)} s`}
                onClick={() => {
                  const places = Object.fromEntries(handles.map(({ vertex, target }) => [vertex, target]));
                  const pair = {
                    name: freePairName(document),
                    performer: { time: Number(time.toFixed(4)) },
                    character: { handles: places },
                  };
                  onChange(`Pair ${name}`, withPair(document, pair));
                }}
              >
                Pair
              </button>
            </span>
          ))}
        </div>
      )}
    </section>
  );
}

interface FigureProps {
  readonly rehearsal: Rehearsal;
  readonly name: string;
  readonly colour: string;
}

const SIZE = 48;

/** The performer of a pair as a stick figure, from the front. */
function Figure({ rehearsal, name, colour }: FigureProps) {
  const { pairs } = rehearsal;
  const pair = pairs?.registration.pairs.find((one) => one.name === name);
  if (!pair || !pairs) return <svg class="figure-card" viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" />;
  const { joints } = pairs.registration;
  const at = (j: number) => [pair.performer[3 * j], pair.performer[3 * j + 1]] as const;
  const all = joints.map((_, j) => at(j));
  const [left, right] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const [low, high] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const scale = (SIZE - 8) / Math.max(right - left, high - low, Number.MIN_VALUE);
  const place = (j: number) => {
    const [x, y] = at(j);
    return `${(SIZE / 2 + scale * (x - (left + right) / 2)).toFixed(1)} ${(SIZE / 2 - scale * (y - (low + high) / 2)).toFixed(1)}`;
  };
  const lines = limbsOf(joints).map(([a, b]) => `M${place(a)}L${place(b)}`);
  return (
    <svg class="figure-card" viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
      <path d={lines.join('')} stroke={colour} />
    </svg>
  );
}
