import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../jobs/ask.ts';
import type { PerformerFrame } from '../store/performer.ts';
import { rehearsalOptions } from '../store/requests.ts';
import type { LiveGuest } from '../viewport/live-guest.ts';
import { PairWeight } from './pair-weight.tsx';
import { useStudio } from './studio.ts';

interface FollowerProps {
  readonly character: string;
  readonly joints: readonly string[];
  readonly frame: { readonly value: PerformerFrame | undefined };
}

/** The character on the stage, and how much of each pair it shows. */
export function Follower({ character, joints, frame }: FollowerProps) {
  const { bench, document, viewport } = useStudio();
  const { store, library } = bench;
  const choices = document.puppet.value;
  const shown = viewport.value;
  const guest = useRef<LiveGuest | undefined>(undefined);
  const names = useSignal<readonly string[]>([]);
  const weights = useSignal<readonly number[]>([]);
  const resting = useSignal(true);
  const calibrated = useSignal(false);
  const trouble = useSignal('');
  const options = rehearsalOptions(choices);
  const key = JSON.stringify(options);
  useEffect(() => {
    let closed = false;
    const fail = (error: Error) => {
      trouble.value = error.message;
    };
    const start = async () => {
      const file = library.get(character)?.files[0];
      const pairs = library.get(choices.pairs?.id)?.files[0];
      const motion = library.get(choices.motion?.id)?.files[0];
      if (!shown || !file) return;
      const [data, { LiveGuest }] = await Promise.all([
        ask({ type: 'puppet', files: { character: file, pairs, motion: pairs && motion } }),
        import('../viewport/live-guest.ts'),
      ]);
      const onPose = () => {
        weights.value = guest.current?.weights ?? [];
        resting.value = guest.current?.isResting ?? true;
        calibrated.value = guest.current?.isCalibrated ?? false;
      };
      const events = { onPose, onError: fail };
      const made = await LiveGuest.open(
        shown,
        await file.blob.arrayBuffer(),
        data.pairs,
        data.body,
        joints,
        options,
        events,
      );
      if (closed) return made.dispose();
      guest.current = made;
      trouble.value = '';
      names.value = data.pairs?.registration.pairs.map(({ name }) => name) ?? [];
    };
    store.setSession({ hands: true });
    start().catch(fail);
    return () => {
      closed = true;
      guest.current?.dispose();
      guest.current = undefined;
      store.setSession({ hands: false });
    };
  }, [shown, character, key]);
  const now = frame.value;
  useEffect(() => {
    if (now) guest.current?.follow(now);
  }, [now]);
  return (
    <section class="card" aria-label="Live">
      <p class="dim small" role="status">
        {trouble.value || statusOf(resting.value, calibrated.value)}
      </p>
      {names.value.map((name, k) => (
        <PairWeight key={name} name={name} value={weights.value[k] ?? 0} place={k} />
      ))}
    </section>
  );
}

function statusOf(resting: boolean, calibrated: boolean): string {
  if (resting) return 'At rest until you are seen';
  return calibrated ? 'The character follows you' : 'Stand straight for a second, facing where it should face';
}
