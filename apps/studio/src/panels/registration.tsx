/**
 * Pairs of poses, made by scrubbing: the performer's timeline is that of the motion, the character does what the pairs
 * make of it, and a pose that is set by hand is paired with what the performer does there.
 */
import type { PairsDocument } from '@pelt/model';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ask } from '../jobs/ask.ts';
import { keepPairsDocument, motionOf, readPairsDocument, suggestPairs } from '../jobs/puppet-bench.ts';
import type { Rehearsal } from '../jobs/rehearse.ts';
import { FIRST_CLIP } from '../store/clips.ts';
import type { FinishedRun } from '../store/document.ts';
import {
  freePairName,
  NO_PAIRS,
  type PosePairSource,
  withoutPair,
  withPair,
  withSuggested,
} from '../store/registration.ts';
import { rehearsalOptions } from '../store/requests.ts';
import type { JointGuest } from '../viewport/joint-guest.ts';
import { download } from './download.ts';
import { JointHands } from './joint-hands.tsx';
import { followMotion } from './motion-figure.ts';
import { PairCards } from './pair-cards.tsx';
import { PairWeight } from './pair-weight.tsx';
import { useStudio } from './studio.ts';

/** At which the timeline counts a motion. */
const FPS = 30;
/** Key poses that are suggested at once. */
const SUGGESTED = 6;
/** Seconds within which a suggestion is a pair that is there. */
const NEAR = 0.1;
/** Seconds within which the playhead is at a pair. */
const AT = 0.5 / FPS;

export function Registration({ run }: { readonly run: FinishedRun }) {
  const studio = useStudio();
  const { bench, document, view, session, performer } = studio;
  const { store, library } = bench;
  const choices = document.puppet.value;
  const pairs = useSignal<PairsDocument>(NO_PAIRS);
  const rehearsal = useSignal<Rehearsal | undefined>(undefined);
  /** The pair whose card was clicked, until the playhead moves. */
  const picked = useSignal<{ readonly name: string; readonly frame: number } | undefined>(undefined);
  const [file] = library.get(run.id)?.files ?? [];
  const options = rehearsalOptions(choices);
  const fail = ({ message: text }: Error) => store.setSession({ notice: { kind: 'error', text } });
  const pairsId = choices.pairs?.id;
  useEffect(() => {
    let closed = false;
    readPairsDocument(bench, pairsId).then((read) => {
      if (!closed) pairs.value = read;
    }, fail);
    return () => {
      closed = true;
    };
  }, [pairsId, bench]);
  const source = choices.source === 'file' ? choices.motion?.id : JSON.stringify(choices.take);
  useEffect(() => {
    let closed = false;
    const start = async () => {
      const motion = await motionOf(bench, choices);
      const [given] = library.get(pairsId)?.files ?? [];
      if (!file || !motion) return;
      const done = await ask({
        type: 'rehearse',
        files: { character: file, motion, pairs: given },
        options,
        fps: FPS,
      });
      if (!closed) rehearsal.value = done;
    };
    start().catch((error: Error) => closed || fail(error));
    return () => {
      closed = true;
    };
  }, [pairsId, source, file, JSON.stringify(options)]);
  const done = rehearsal.value;
  const frames = done ? Math.max(1, Math.round((done.motion.times.at(-1) ?? 0) * FPS) + 1) : undefined;
  useEffect(() => {
    if (frames === undefined) return undefined;
    store.setSession({ clip: { frames, fps: FPS } });
    store.setView({ playing: false, frame: Math.min(store.state.view.frame, frames - 1) });
    return () => {
      store.setSession({ clip: undefined, weights: undefined });
      performer.value = undefined;
    };
  }, [frames, store]);
  useEffect(() => store.setSession({ weights: done?.weights }), [done, store]);
  const follow = useMemo(() => done && followMotion(done.motion), [done?.motion]);
  const frame = view.frame.value;
  const time = frame / FPS;
  useEffect(() => {
    if (follow) performer.value = follow(time);
  }, [follow, time]);
  if (!file || !done) return <p class="dim">Reading the motion …</p>;
  const now = pairs.value;
  const here =
    now.pairs.find(({ name }) => picked.value?.frame === frame && name === picked.value.name) ??
    now.pairs.find(({ performer: of }) => 'time' in of && Math.abs(of.time - time) < AT);
  const go = ({ name, performer: of }: PosePairSource) => {
    const to = 'time' in of ? Math.min(Math.round(of.time * FPS), (frames ?? 1) - 1) : frame;
    picked.value = { name, frame: to };
    store.setView({ frame: to, playing: false });
  };
  const keep = (label: string, next: PairsDocument | undefined) =>
    void keepPairsDocument(bench, label, next).catch(fail);
  const keepPose = (guest: JointGuest) => {
    const at = { time: Number(time.toFixed(4)), ...(here && 'motion' in here.performer && here.performer) };
    const pair: PosePairSource = {
      name: here?.name ?? freePairName(now),
      performer: here?.performer ?? at,
      character: { transforms: guest.transforms },
    };
    keep(here ? `Update ${pair.name}` : `Pair ${pair.name}`, withPair(now, pair));
  };
  const suggest = async () => {
    const suggested = await suggestPairs(bench, SUGGESTED);
    if (!suggested) return;
    // As the character does already, until somebody poses it: a suggestion changes nothing by itself.
    const posed = suggested.pairs.map((pair) => ({ ...pair, character: doneAt(done, pair) ?? pair.character }));
    keep('Suggest key poses', withSuggested(pairs.value, { ...suggested, pairs: posed }, NEAR));
  };
  const weights = done.weights;
  const [saved] = library.get(pairsId)?.files ?? [];
  return (
    <JointHands
      key={run.id}
      names={[['character', 'character']]}
      manners={async () => [{ name: 'character', bytes: await file.blob.arrayBuffer() }]}
      intro={
        done.trouble
          ? `Scrub to a pose of the performer, pose the character, and pair them. ${now.pairs.length === 0 ? 'The first pair is the neutral one.' : ''}`
          : 'Scrub the performer below; where the character is wrong, pose it and pair it with what the performer does.'
      }
      action={[here ? `Update ${here.name}` : `Pair this pose with ${time.toFixed(2)} s`, keepPose]}
      more={({ guest }) => (
        <>
          <Rehearse guest={guest} rehearsal={done} here={here?.name} />
          {weights && (
            <section class="card" aria-label="Weights">
              {weights.pairs.map((name, k) => (
                <PairWeight key={name} name={name} place={k} value={shownWeight(weights, frame, k)} />
              ))}
            </section>
          )}
          <PairCards document={now} rehearsal={done} here={here?.name} fps={FPS} onGo={go} onChange={keep} />
          <div class="row">
            <button
              type="button"
              class="button"
              disabled={session.task.value !== undefined}
              title={`${SUGGESTED} key poses of the motion, as pelt puppet --suggest finds them`}
              onClick={() => void suggest()}
            >
              Suggest key poses
            </button>
            {saved && (
              <button type="button" class="button" onClick={() => download(saved.blob, saved.path)}>
                Save pairs
              </button>
            )}
          </div>
          {here && (
            <button
              type="button"
              class="button wide"
              onClick={() => keep(`Remove ${here.name}`, withoutPair(now, here.name))}
            >
              Remove {here.name}
            </button>
          )}
        </>
      )}
    />
  );
}

interface RehearseProps {
  readonly guest: JointGuest;
  readonly rehearsal: Rehearsal;
  /** The pair at the playhead, whose own pose is shown. */
  readonly here: string | undefined;
}

/** The character does what the pairs make of the motion; at a pair it stands as that says. */
function Rehearse({ guest, rehearsal, here }: RehearseProps) {
  const { view } = useStudio();
  const { clip, motion } = rehearsal;
  const own = useMemo(() => pairClip(rehearsal, here), [rehearsal, here]);
  const playing = view.playing.value;
  useEffect(() => {
    const below = (playing ? undefined : own) ?? clip;
    const frames = Math.max(1, Math.round((motion.times.at(-1) ?? 0) * FPS) + 1);
    guest.settle();
    guest.setClip({ ...FIRST_CLIP, frames, fps: FPS }, below);
  }, [guest, clip, own, playing, motion]);
  return null;
}

/** What the character does at the moment of a pair. */
function doneAt({ clip }: Rehearsal, { performer }: PosePairSource): PosePairSource['character'] | undefined {
  if (!clip || !('time' in performer)) return undefined;
  const t = Math.min(clip.frames - 1, Math.round(performer.time * clip.fps));
  const at = (j: number) => [...clip.transforms.subarray(12 * (t * clip.joints.length + j)).subarray(0, 12)];
  return { transforms: Object.fromEntries(clip.joints.map((name, j) => [name, at(j)])) };
}

/** A pose that lasts: that of a pair. */
function pairClip({ pairs }: Rehearsal, name: string | undefined) {
  const pair = pairs?.registration.pairs.find((one) => one.name === name);
  if (!pair || !pairs) return undefined;
  const transforms = Float32Array.from(pair.character.transforms);
  return { name: pair.name, fps: FPS, frames: 1, joints: pairs.bones, transforms };
}

/** Of a pair at a frame, the largest of all parts. */
function shownWeight({ pairs, parts, values }: NonNullable<Rehearsal['weights']>, frame: number, k: number): number {
  const [P, N] = [parts.length, pairs.length];
  return parts.reduce((largest, _, p) => {
    const value = values[(frame * P + p) * N + k] ?? 0;
    return Math.abs(value) > Math.abs(largest) ? value : largest;
  }, 0);
}
